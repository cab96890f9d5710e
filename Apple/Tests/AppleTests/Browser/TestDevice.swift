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
            try? await Task.sleep(for: .seconds(10))
            return .cancel
        }
    }

    /// A browser that ends at that address.
    static func ending(at address: String, _ manners: Manners = Manners()) -> ShimBrowser {
        ShimBrowser(manners) { _ in URL(string: address).map { .redirect($0) } ?? .cancel }
    }

    /// Runs what is the test's with this browser on the device.
    func on<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        try await Self.$current.withValue(self) { try await body() }
    }
}
