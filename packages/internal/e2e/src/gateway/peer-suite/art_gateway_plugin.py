"""pytest plugin: create_app of rllm-model-gateway answers a shim before a gateway of ours.

Tests of the published package then meet our server wherever they speak HTTP, whether over a socket or in process.
Run as `pytest -p art_gateway_plugin` with ART_NODE and ART_GATEWAY_HOST in the environment.
"""

import json
import os
import subprocess
import threading

import httpx
import pytest
import rllm_model_gateway

# Headers that belong to one connection.
_hop_by_hop = {b"connection", b"content-length", b"host", b"keep-alive", b"te", b"trailer", b"transfer-encoding"}


class GatewayHost:
    """The process that our gateways run in, one for the whole run of tests."""

    def __init__(self):
        self._process = None
        self._lock = threading.Lock()

    def ask(self, command):
        with self._lock:
            if self._process is None:
                self._process = subprocess.Popen(
                    [os.environ["ART_NODE"], "--conditions=@art/source", os.environ["ART_GATEWAY_HOST"]],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the process of the gateways has ended")
        return json.loads(answer)

    def end(self):
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait(timeout=20)


_host = GatewayHost()
_running = []


class GatewayShim:
    """An ASGI application that hands each request on to a gateway, and the reply back."""

    def __init__(self, config):
        settings = json.loads(config.model_dump_json(exclude={"host", "port", "log_level"}))
        # What newer releases write as well, whole configurations with their defaults and nulls.
        settings = {"health_check_timeout": 5.0, "health_failure_threshold": 3, "max_model_len": None, **settings}
        self._url = _host.ask({"start": settings})["url"]
        _running.append(self._url)

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            return await self._live(receive, send)
        body = b""
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        target = (scope.get("raw_path") or scope["path"].encode()).decode()
        query = scope["query_string"].decode()
        # There is no TLS on the way, and setting it up for each request would take longer than the request.
        async with httpx.AsyncClient(timeout=60, verify=False, trust_env=False) as client:
            url = f"{self._url}{target}?{query}" if query else f"{self._url}{target}"
            call = client.stream(scope["method"], url, headers=_own(scope["headers"]), content=body or None)
            async with call as reply:
                await send(
                    {"type": "http.response.start", "status": reply.status_code, "headers": _own(reply.headers.raw)}
                )
                async for chunk in reply.aiter_raw():
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def _live(self, receive, send):
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return


def _own(headers):
    return [(name, value) for name, value in headers if name.lower() not in _hop_by_hop]


def _create_app(config=None, store=None):
    assert store is None, "a store in Python cannot be shared with another process"
    return GatewayShim(config or rllm_model_gateway.GatewayConfig())


def pytest_configure(config):
    rllm_model_gateway.create_app = _create_app


def pytest_unconfigure(config):
    _host.end()


@pytest.fixture(autouse=True)
def _end_gateways():
    yield
    while _running:
        _host.ask({"stop": _running.pop()})
