#if NIO
public import OstiaryClient

extension TransportMaker {
    /// A transport over SwiftNIO with the system's roots. It enforces pins on Linux.
    public static var nio: TransportMaker { nio(roots: .system) }

    /// Returns a maker of transports over SwiftNIO with the app's own roots: for a private authority, and for tests.
    public static func nio(
        roots: TrustRoots, system: ClientDependencies = .system
    ) -> TransportMaker {
        TransportMaker { pins throws(ClientError) in
            try NIOTransport(pins: pins, roots: roots, system: system)
        }
    }
}
#endif
