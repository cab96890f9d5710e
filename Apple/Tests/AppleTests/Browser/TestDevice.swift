import AuthenticationServices
import OstiaryTesting
import Testing

@testable import OstiaryClient

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// A device on which the app is in front.
@MainActor
enum TestDevice {
    static let window: ASPresentationAnchor = {
        let window = ASPresentationAnchor()
        #if canImport(UIKit)
        let scene = UIWindowScene()
        scene.windows = [window]
        UIApplication.shared.shimConnect(scene)
        #else
        NSApplication.shared.keyWindow = window
        #endif
        return window
    }()
}

extension ShimBrowser {
    /// A person in front of a test server and the provider it plays.
    static func visiting(_ server: TestServer, _ visit: BrowserVisit = .signIn(.jo)) -> ShimBrowser {
        ShimBrowser { request in
            switch await server.browse(request.url.absoluteString, visit) {
            case .app(let address): URL(string: address).map { .redirect($0) } ?? .cancel
            case .page: .cancel
            }
        }
    }

    /// A person who looks at the page for so long that whoever waits for them has failed.
    static func waiting(_ manners: Manners = Manners()) -> ShimBrowser {
        ShimBrowser(manners) { _ in
            try? await Task.sleep(for: .seconds(60))
            return .cancel
        }
    }

    /// A browser that ends at that address.
    static func ending(at address: String, _ manners: Manners = Manners()) -> ShimBrowser {
        ShimBrowser(manners) { _ in URL(string: address).map { .redirect($0) } ?? .cancel }
    }

    /// Runs what is the test's with this browser on the device.
    func on<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await Self.$current.withValue(self) { try await patiently(body) }
    }
}

/// Runs what ends soon if all is well, and is cancelled if not: a test then fails, and does not wait for ever.
func patiently<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task { try await body() }
    let patience = Task {
        try await Task.sleep(for: .seconds(30))
        task.cancel()
    }
    defer { patience.cancel() }
    return try await withTaskCancellationHandler {
        try await task.value
    } onCancel: {
        task.cancel()
    }
}

extension HoldingPoint {
    /// Waits until somebody is held here.
    func arrival() async throws { try await patiently { try await self.arrivals(1) } }
}
