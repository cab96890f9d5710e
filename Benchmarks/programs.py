"""The programs that are measured, and their load. Everything runs on this machine's loopback interface."""

import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent / "Server" / ".build-bench"
OSTIARY = BUILD / "release" / "ostiary"
PEERS = BUILD / "release" / "bench-peers"

# Rate limits would distort the measurement; all other settings are defaults.
CONFIGURATION = {
    "mode": "development",
    "log": {"level": "info", "format": "json"},
    "apps": {
        app: {
            "contract": app,
            "rate_limits": {
                kind: "1000000/1s"
                for kind in ["sign_in", "code_request", "code_check", "reset", "register", "refresh", "other"]},
            "messages": {
                cap: 1000000 for cap in ["per_recipient_day", "per_prefix_hour", "per_network_hour", "per_server_hour"]},
        } for app in ["timetracker", "vici", "clarity", "barqnet", "viewvault"]
    },
}


class Program:
    """A running server, with its log in a file, as in production."""

    def __init__(self, arguments, log, path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.path = path
        with open(log, "ab") as output:
            begun = time.monotonic()
            self.process = subprocess.Popen(
                [part.format(port=self.port) for part in arguments], stdout=output, stderr=output)
        self.seconds_to_first_answer = self.first_answer(begun)

    def first_answer(self, begun):
        while time.monotonic() - begun < 30:
            try:
                status, _ = self.ask("GET", self.path)
            except ConnectionError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.0005)
                continue
            if status == 200:
                return time.monotonic() - begun
        self.stop()
        raise SystemExit(f"{self.process.args[0]} does not answer")

    def ask(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"} if body else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def resident_bytes(self, peak=False):
        """Resident memory now, or its maximum so far where the system reports it."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status")
        if status.exists():
            name = "VmHWM:" if peak else "VmRSS:"
            line = next(line for line in status.read_text().splitlines() if line.startswith(name))
            return int(line.split()[1]) * 1024
        listed = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self.process.pid)], capture_output=True, text=True, check=True)
        return int(listed.stdout) * 1024

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def ostiary(directory, configuration=CONFIGURATION, program=OSTIARY):
    """Ostiary on a data directory, which it creates if it is missing."""
    file = directory.with_suffix(".yaml")
    # JSON is YAML.
    file.write_text(json.dumps(configuration))
    return Program(
        [str(program), "serve", "--config", str(file), "--data", str(directory),
         "--listen", "127.0.0.1:{port}"],
        directory.with_suffix(".log"), "/readyz")


def bare_route(body, log):
    """A bare Hummingbird route that answers with `body`."""
    # Braces of the body are not placeholders for the port.
    return Program([str(PEERS), "route", "{port}", body.replace("{", "{{").replace("}", "}}")], log, "/")


def bare_bcrypt(seconds):
    """Hashes a second, with one thread for each core."""
    output = subprocess.run([str(PEERS), "bcrypt", str(seconds)], capture_output=True, text=True, check=True)
    return float(output.stdout)


class Load:
    """One run of wrk."""

    def __init__(self, url, seconds, connections, mode, *arguments, threads=None):
        threads = threads or min(connections, max(1, (os.cpu_count() or 2) // 2))
        self.process = subprocess.Popen(
            ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s",
             "-s", str(HERE / "load.lua"), url, "--", mode, *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def result(self):
        output, _ = self.process.communicate()
        lines = [line for line in output.splitlines() if line.startswith("RESULT ")]
        if self.process.returncode != 0 or not lines:
            raise SystemExit(f"wrk failed:\n{output}")
        result = json.loads(lines[0].removeprefix("RESULT "))
        if result["refused"] or result["failed"]:
            raise SystemExit(f"requests were refused or failed, so the figures would mean nothing:\n{output}")
        result["rate"] = result["requests"] / result["seconds"]
        return result
