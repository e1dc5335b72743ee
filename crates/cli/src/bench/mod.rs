//! Studies: timings and comparisons, each a JSON object with rows and a summary.
