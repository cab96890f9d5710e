import AuthenticationServices
import OstiaryTesting
import Testing

@testable import OstiaryClient

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// A device on which the app is in the foreground.
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
    /// Returns a browser whose person signs in at a test server and the provider it simulates.
    static func visiting(_ server: TestServer, _ visit: BrowserVisit = .signIn(.jo)) -> ShimBrowser {
        ShimBrowser { request in
            switch await server.browse(request.url.absoluteString, visit) {
            case .app(let address): URL(string: address).map { .redirect($0) } ?? .cancel
            case .page: .cancel
            }
        }
    }

    /// Returns a browser whose page stays open so long that a test which waits for its end has failed.
    static func waiting(_ manners: Manners = Manners()) -> ShimBrowser {
        ShimBrowser(manners) { _ in
            try? await Task.sleep(for: .seconds(60))
            return .cancel
        }
    }

    /// Returns a browser that ends at that address.
    static func ending(at address: String, _ manners: Manners = Manners()) -> ShimBrowser {
        ShimBrowser(manners) { _ in URL(string: address).map { .redirect($0) } ?? .cancel }
    }

    /// Runs a part of a test with this browser on the device.
    func on<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await Self.$current.withValue(self) { try await patiently(body) }
    }
}

/// Runs an operation, and cancels it after 30 seconds: the test then fails instead of waiting forever.
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
    /// Waits until a task is held at this point.
    func arrival() async throws { try await patiently { try await self.arrivals(1) } }
}
