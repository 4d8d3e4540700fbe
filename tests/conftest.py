from __future__ import annotations

import pytest
import pytest_socket
from hypothesis import HealthCheck, settings

_SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile("short", max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=_SLOW_IS_FINE)
settings.register_profile("long", max_examples=2_000, deadline=None, derandomize=False, suppress_health_check=_SLOW_IS_FINE)
settings.load_profile("short")


@pytest.fixture(autouse=True)
def _network(request):
    """Keep tests off the network; those marked `integration` may reach this machine."""
    if request.node.get_closest_marker("integration"):
        pytest_socket.socket_allow_hosts(["127.0.0.1", "::1", "localhost"], allow_unix_socket=True)
    else:
        pytest_socket.disable_socket(allow_unix_socket=True)
    yield
    pytest_socket.enable_socket()
