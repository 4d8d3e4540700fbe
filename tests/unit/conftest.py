"""Unit tests reach no network."""

from __future__ import annotations

import pytest
import pytest_socket


@pytest.fixture(autouse=True)
def _sockets_off():
    pytest_socket.disable_socket(allow_unix_socket=True)
    yield
    pytest_socket.enable_socket()
