import OstiaryTestSupport

/// A TLS server whose certificate nobody has signed but itself.
struct SelfSignedServer {
    let port: Int
    private let directory: TemporaryDirectory
    private let process: PythonProcess

    init() async throws {
        directory = try TemporaryDirectory()
        process = try PythonProcess(
            """
            import socket, ssl, subprocess
            certificate, key = sys.argv[1] + "/certificate.pem", sys.argv[1] + "/key.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
                            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                            "-keyout", key, "-out", certificate], check=True, stdin=subprocess.DEVNULL)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            while True:
                connection, _ = listener.accept()
                try:
                    context.wrap_socket(connection, server_side=True).sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\n")
                except OSError:
                    pass
            """, [directory.path])
        port = Int(try await process.nextLine()) ?? 0
    }

    func stop() { process.stop() }
}
