"""nginx in front of several nodes, much as `Documentation/postgresql.md` recommends it."""

import os
import signal
import subprocess
import time
from pathlib import Path

from peers import unprivileged
from peers.pgbouncer import wait_for
from server import free_port

# Without `keepalive` to the nodes, no node closes an idle connection at the moment that a request is written to it. A request
# that was written to a node is retried at another only if that is safe (GET); one that could not be written always is.
CONFIGURATION = """
daemon off;
pid {directory}/nginx.pid;
error_log {directory}/nginx.log warn;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  client_body_temp_path {directory}/body;
  proxy_temp_path {directory}/proxy;
  fastcgi_temp_path {directory}/fastcgi;
  uwsgi_temp_path {directory}/uwsgi;
  scgi_temp_path {directory}/scgi;
  upstream nodes {{
{nodes}
  }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://nodes;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_connect_timeout 1s;
      proxy_read_timeout 20s;
      proxy_next_upstream error timeout;
      proxy_next_upstream_tries {count};
    }}
  }}
}}
"""

RELOADED = 0.3  # Seconds after which nginx has read its configuration again.


class Balancer:
    def __init__(self, guard, ports):
        folder = unprivileged.folder_with("nginx")
        if folder is None:
            raise unprivileged.NotInstalled("nginx is not installed")
        self.program, self.guard, self.port = os.path.join(folder, "nginx"), guard, free_port()
        self.directory = Path(guard.directory) / "nginx"
        self.directory.mkdir()
        self.base = f"http://127.0.0.1:{self.port}"
        self.log = self.directory / "nginx.log"
        self.ports, self.process = ports, None
        self.configure()

    def configure(self, without=None):
        """Writes the configuration; no request goes to the node at the port `without`."""
        nodes = "\n".join(f"    server 127.0.0.1:{port} " + ("down;" if port == without else "max_fails=1 fail_timeout=1s;")
                          for port in self.ports)
        (self.directory / "nginx.conf").write_text(CONFIGURATION.format(
            directory=self.directory, port=self.port, nodes=nodes, count=len(self.ports)))

    def take_out(self, port):
        """Sends no further request to a node; requests in progress there continue."""
        self._reload(port)

    def put_back(self):
        self._reload(None)

    def _reload(self, without):
        self.configure(without)
        self.process.send_signal(signal.SIGHUP)
        time.sleep(RELOADED)

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "-e", str(self.log), "-p", str(self.directory), "-c", str(self.directory / "nginx.conf")],
            stdin=subprocess.DEVNULL)
        self.guard.watch(self.process.pid)
        wait_for(self.port, self.process, 5)
        return self

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.guard.forget(self.process.pid)
