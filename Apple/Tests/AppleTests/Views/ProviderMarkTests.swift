import AuthenticationServices
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

@MainActor struct ProviderMarkTests {
    private let square = CGRect(x: 0, y: 0, width: 20, height: 20)

    @Test func `an outline is placed in the middle of its rectangle, and keeps its proportions`() {
        let outline = MarkOutline("M0 0h10v10H0z", side: 10)
        #expect(
            outline.path(in: CGRect(x: 0, y: 0, width: 40, height: 20)).boundingRect
                == CGRect(x: 10, y: 0, width: 20, height: 20))
    }

    @Test func `reads absolute and relative commands, and numbers that nothing separates`() {
        let points: [MarkOutline.Step] = [
            .move(CGPoint(x: 0.1, y: 0.2)), .line(CGPoint(x: 0.6, y: 0.1)),
            .curve(CGPoint(x: 0.5, y: 0.5), CGPoint(x: 0.6, y: 0.7), CGPoint(x: 0.7, y: 0.8)),
            .curve(CGPoint(x: 0.8, y: 0.9), CGPoint(x: 0.75, y: 0.75), CGPoint(x: 1, y: 1)), .close,
        ]
        let relative = MarkOutline("M1 2l5-1c-1 4 0 6 1 7s.5-.5 3 2z", side: 10)
        let absolute = MarkOutline("M1,2 L6,1 C5,5 6,7 7,8 S7.5 7.5 10 10 Z", side: 10)
        for outline in [relative, absolute] {
            #expect(outline.steps.count == points.count)
            for (step, wanted) in zip(outline.steps, points) { #expect(step.isNear(wanted), "\(step)") }
        }
    }

    @Test(arguments: ["", "M", "M1", "X1 2", "M0 0L1", "M0 0C1 2 3"])
    func `stops at what it cannot read`(data: String) {
        #expect(MarkOutline(data, side: 10).steps.count <= 1)
    }

    @Test func `Google's mark has its four colours, on light and on dark`() throws {
        for scheme in [ColorScheme.light, .dark] {
            let mark = try #require(ProviderMark("google", textColor: ProviderLook("google", scheme).text))
            let host = ShimHost(mark)
            #expect(
                host.all.compactMap { $0.looks["fill"] } == [
                    "rgb(234,67,53)", "rgb(66,133,244)", "rgb(251,188,5)", "rgb(52,168,83)",
                ])
        }
    }

    @Test func `GitHub's mark has the one colour of the text`() throws {
        for scheme in [ColorScheme.light, .dark] {
            let text = ProviderLook("github", scheme).text
            let host = ShimHost(try #require(ProviderMark("github", textColor: text)))
            #expect(host.all.compactMap { $0.looks["fill"] } == [text.shimName])
        }
    }

    @Test(arguments: ["google", "github"]) func `a mark fills its square, with whole outlines`(provider: String) throws
    {
        let parts = try #require(ProviderMark(provider, textColor: .primary)).parts
        let bounds = parts.map { $0.outline.path(in: square).boundingRect }
        let all = bounds.reduce(bounds[0]) { $0.union($1) }
        #expect(abs(all.minX) < 0.2 && abs(all.minY) < 0.2 && abs(all.maxX - 20) < 0.5 && abs(all.maxY - 20) < 0.6)
        #expect(parts.allSatisfy { $0.outline.steps.last == .close })
    }

    @Test func `a provider without a known mark shows its letter`() {
        #expect(ProviderMark("example", textColor: .primary) == nil)
    }

    @Test func `the system's button signs in with Apple, and says why it failed`() async throws {
        var rules = TestServerRules.standard
        rules.providers = [TestProvider(name: "apple")]
        let screen = try Screen(.vici, rules: rules, social: ["apple"])
        try await screen.start()
        let button = try screen.button("sign-in-apple")
        #expect(button.attributes["system"] == "true" && button.looks["background"] == "black")
        let failing = ShimAuthorizer.failing(.unknown)
        try await failing.on { @MainActor in
            try screen.host.tap("sign-in-apple")
            try await screen.host.wait("the reason") { screen.error != nil }
        }
        try await ShimAuthorizer.failing(.canceled).on { @MainActor in
            try screen.host.tap("sign-in-apple")
            try await screen.host.wait("the end") { !screen.model.isEntering && screen.model.error == nil }
        }
        let person = ShimAuthorizer.apple(screen.server)
        try await person.on { @MainActor in
            try screen.host.tap("sign-in-apple")
            try await screen.seesContent()
        }
        #expect(person.shown == 1)
    }

    @Test func `the system's button is white in the dark`() async throws {
        let screen = try Screen(.vici, social: ["apple"], look: { $0.colorScheme = .dark })
        try await screen.start()
        #expect(try screen.button("sign-in-apple").looks["background"] == "white")
    }

    @Test func `an answer to another request of the system's button is refused`() async throws {
        var rules = TestServerRules.standard
        rules.providers = [TestProvider(name: "apple")]
        let screen = try Screen(.vici, rules: rules, social: ["apple"])
        try await screen.start()
        let replayed = ShimAuthorizer { request in
            guard let request = request as? ASAuthorizationAppleIDRequest,
                let token = screen.server.identityToken(nonce: request.nonce ?? "", from: "apple")
            else { return .failure(.init(.failed)) }
            return .success(
                ASAuthorizationAppleIDCredential(
                    shimUser: "001.jo", state: "another", identityToken: Data(token.reveal().utf8)))
        }
        try await replayed.on { @MainActor in
            try screen.host.tap("sign-in-apple")
            try await screen.host.wait("the refusal") { screen.error != nil }
        }
        #expect(!screen.model.isSignedIn)
    }
}

extension MarkOutline.Step {
    fileprivate func isNear(_ other: Self) -> Bool {
        func near(_ a: CGPoint, _ b: CGPoint) -> Bool { abs(a.x - b.x) < 1e-6 && abs(a.y - b.y) < 1e-6 }
        return switch (self, other) {
        case (.move(let a), .move(let b)), (.line(let a), .line(let b)): near(a, b)
        case (.curve(let a, let b, let c), .curve(let d, let e, let f)): near(a, d) && near(b, e) && near(c, f)
        case (.close, .close): true
        default: false
        }
    }
}
