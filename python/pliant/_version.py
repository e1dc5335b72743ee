"""The version of the package."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("pliant")
except PackageNotFoundError:  # run from a checkout
    VERSION = "unknown"
