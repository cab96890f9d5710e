"""Another party's web server: another origin on this machine, with pages that attempt attacks."""

import contextlib
import html
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class ForeignSite:
    """Pages by path. The same pages are served as another origin of the same site, and as another site."""

    def __init__(self, port):
        self.pages = {}
        self.same_site = f"http://127.0.0.1:{port}"
        self.cross_site = f"http://localhost:{port}"

    def put(self, path, body):
        self.pages[path] = f"<!doctype html><html lang=en><title>elsewhere</title><body>{body}</body></html>"
        return path

    def form(self, path, action, fields):
        """Returns a page with a form that is sent to `action`, automatically when the page is opened."""
        inputs = "".join(f'<input type=hidden name="{html.escape(name)}" value="{html.escape(value)}">'
                         for name, value in fields.items())
        form = f'<form method=post action="{html.escape(action)}">{inputs}<button>Win</button></form>'
        return self.put(path, form + "<script>document.forms[0].submit()</script>")


@contextlib.contextmanager
def foreign_site():
    class Pages(BaseHTTPRequestHandler):
        def do_GET(self):
            page = site.pages.get(self.path)
            body = (page or "").encode()
            self.send_response(200 if page else 204)
            if page:
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    site = ForeignSite(server.server_port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
