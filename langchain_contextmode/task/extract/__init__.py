"""The deterministic extractor: what a human message says about declared fields, in English and Chinese, without a model."""

from langchain_contextmode.task.extract.dates import check_dates_available
from langchain_contextmode.task.extract.hear import hear

__all__ = ["check_dates_available", "hear"]
