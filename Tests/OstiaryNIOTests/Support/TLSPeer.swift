#if NIO
import Foundation
import OstiaryClient
import OstiaryTestSupport

/// A TLS server on a free port of 127.0.0.1 that answers every request with `{}`, and tells of each connection what it
/// could decrypt.
struct TLSPeer {
    /// A connection that has ended.
    struct Connection: Decodable {
        /// Whether the client completed the handshake.
        let isOpened: Bool
        /// How many bytes came out of the encryption.
        let bytes: Int
        /// Whether it was the peer that got tired of waiting.
        let isTimedOut: Bool
        /// First lines.
        let requests: [String]
    }

    /// How an answer ends.
    enum Ending: String {
        /// With its length.
        case counted
        /// With the connection, of which TLS says that it is meant to end.
        case closed
        /// With the connection, of which TLS says nothing: anybody on the way may have cut it.
        case cut
    }

    let port: Int
    private let process: PythonProcess

    /// - Parameters:
    ///   - chain: The certificates that it presents, its own first.
    ///   - requestsPerConnection: After which it hangs up.
    ///   - newestVersion: Of TLS.
    init(
        _ chain: [String], of authority: TestAuthority, requestsPerConnection: Int = 1_000,
        newestVersion: String = "TLSv1_3", host: String = "127.0.0.1", ending: Ending = .counted
    ) async throws {
        process = try PythonProcess(
            Self.program,
            [
                authority.directory.path, chain.joined(separator: ","), String(requestsPerConnection), newestVersion,
                host, ending.rawValue,
            ])
        port = Int(try await process.nextLine()) ?? 0
    }

    func stop() { process.stop() }

    /// Waits for the next connection to end.
    func ended() async throws -> Connection {
        try JSONDecoder().decode(Connection.self, from: Data(await process.nextLine().utf8))
    }

    func url(_ host: String = "localhost") throws -> BaseURL { try BaseURL("https://\(host):\(port)") }

    private static let program = """
        import json, socket, ssl, warnings
        warnings.simplefilter("ignore")
        directory, names, most, newest, host, ending = sys.argv[1:]
        names = names.split(",")
        chain = f"{directory}/{'-'.join(names)}-{os.getpid()}.chain"
        open(chain, "w").write("".join(open(f"{directory}/{name}.pem").read() for name in names))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.load_cert_chain(chain, f"{directory}/{names[0]}.key")
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion[newest]
        listener = socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        print(listener.getsockname()[1], flush=True)

        def serve(connection):
            seen = {"isOpened": False, "bytes": 0, "isTimedOut": False, "requests": []}
            connection.settimeout(20)
            try:
                connection = context.wrap_socket(connection, server_side=True)
                seen["isOpened"] = True
                data = b""
                while len(seen["requests"]) < int(most):
                    more = connection.recv(65536)
                    if not more:
                        break
                    seen["bytes"] += len(more)
                    data += more
                    while b"\\r\\n\\r\\n" in data:
                        head, rest = data.split(b"\\r\\n\\r\\n", 1)
                        lengths = [line.split(b":")[1] for line in head.lower().split(b"\\r\\n") if line.startswith(b"content-length:")]
                        length = int(lengths[0]) if lengths else 0
                        if len(rest) < length:
                            break
                        data = rest[length:]
                        seen["requests"].append(head.split(b"\\r\\n")[0].decode())
                        length = b"Content-Length: 2\\r\\n" if ending == "counted" else b""
                        connection.sendall(b"HTTP/1.1 200 OK\\r\\n" + length + b"\\r\\n{}")
                if ending != "cut":
                    connection.unwrap()
            except TimeoutError:
                seen["isTimedOut"] = True
            except OSError:
                pass
            connection.close()
            print(json.dumps(seen), flush=True)

        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection,), daemon=True).start()
        """
}
#endif
