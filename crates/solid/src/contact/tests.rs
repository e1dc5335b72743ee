//! Detection against closed forms and brute force.
