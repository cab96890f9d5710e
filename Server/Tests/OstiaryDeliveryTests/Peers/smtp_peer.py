"""A mail server on a free port of 127.0.0.1, for tests.

Prints one JSON object a line: first its address, then each email that it accepted. Ends when its standard input ends.
"""

import argparse
import asyncio
import email
import email.policy
import json
import ssl
import subprocess
import sys
import warnings

try:
    from aiosmtpd.smtp import SMTP, AuthResult
except ImportError:
    print(json.dumps({"error": "aiosmtpd is missing: run make test, which installs it"}), flush=True)
    sys.exit(1)


# No password here is secret: some tests need passwords over plain connections.
warnings.simplefilter("ignore")


def tell(**fields):
    print(json.dumps(fields), flush=True)


class Handler:
    def __init__(self, arguments):
        self.arguments = arguments

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.arguments.refuse_recipient:
            return self.arguments.refuse_recipient
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.arguments.refuse_data:
            return self.arguments.refuse_data
        message = email.message_from_bytes(envelope.original_content, policy=email.policy.default)
        tell(
            sender=envelope.mail_from,
            recipients=envelope.rcpt_tos,
            tls=session.ssl is not None or self.arguments.tls == "implicit",
            user=(session.auth_data or b"").decode(),
            ehlo=session.host_name,
            headers=[[name, str(value)] for name, value in message.items()],
            defects=len(message.defects),
            text=message.get_content().replace("\r\n", "\n"),
            raw=envelope.original_content.decode("utf-8"),
        )
        return "250 taken"


def certificate(directory):
    """Creates a self-signed certificate for 127.0.0.1, which is its own authority."""
    path, key = directory + "/certificate.pem", directory + "/key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", path],
        check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(path, key)
    return path, context


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tls", choices=["none", "starttls", "implicit"], default="none")
    parser.add_argument("--directory", help="where the certificate goes")
    parser.add_argument("--refuse-recipient", help="the reply to RCPT")
    parser.add_argument("--refuse-data", help="the reply after DATA")
    parser.add_argument("--user", help="user:password that is asked for")
    parser.add_argument("--without-utf8", action="store_true", help="do not announce SMTPUTF8")
    parser.add_argument("--silent", action="store_true", help="accept connections and never say a word")
    arguments = parser.parse_args()

    path, context = certificate(arguments.directory) if arguments.tls != "none" else (None, None)
    handler = Handler(arguments)

    def authenticate(server, session, envelope, mechanism, data):
        given = f"{data.login.decode()}:{data.password.decode()}"
        return AuthResult(success=given == arguments.user, handled=False, auth_data=data.login)

    def session():
        return SMTP(
            handler,
            enable_SMTPUTF8=not arguments.without_utf8,
            tls_context=context if arguments.tls == "starttls" else None,
            require_starttls=arguments.tls == "starttls",
            authenticator=authenticate if arguments.user else None,
            auth_required=bool(arguments.user),
            auth_require_tls=False,
        )

    loop = asyncio.get_running_loop()
    if arguments.silent:
        def connected(reader, writer):
            tell(connected=True)
        server = await asyncio.start_server(connected, "127.0.0.1", 0)
    else:
        server = await loop.create_server(
            session, "127.0.0.1", 0, ssl=context if arguments.tls == "implicit" else None)
    tell(port=server.sockets[0].getsockname()[1], authority=path)
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
