import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

@MainActor
struct PhoneFieldTests {
    private let germany = "Germany (\u{2066}+49\u{2069})"

    private func asking(texts: AuthTexts = .english) async throws -> Screen {
        let screen = try Screen(.barqnet, texts: texts)
        try await screen.start()
        try screen.host.tap("register-link")
        return screen
    }

    @Test func `a national number is sent as E.164`() async throws {
        let screen = try await asking()
        let picker = try screen.host.find(["Picker"], "requestCode.region")
        #expect(picker.value == "United States (\u{2066}+1\u{2069})")
        try screen.host.choose(germany, in: "requestCode.region")
        try screen.host.type("0170 1234567", into: "requestCode.identifier")
        try screen.host.tap("requestCode")
        try await screen.host.wait("the code") { screen.has("verifyCode.code") }
        #expect(screen.server.code(for: "+491701234567") != nil)
        #expect(screen.host.has("Text", "We have sent you a code to +491701234567."))
    }

    @Test func `a number from an address book needs no region`() async throws {
        let screen = try await asking()
        try screen.host.choose(AuthTexts.english(.phoneRegionInternational), in: "requestCode.region")
        try screen.host.type("0170 1234567", into: "requestCode.identifier")
        #expect(try !screen.button("requestCode").enabled)
        try screen.host.type("\u{202A}+49\u{A0}170\u{2011}1234567\u{202C}", into: "requestCode.identifier")
        #expect(try screen.button("requestCode").enabled)
    }

    @Test func `another region needs another code`() async throws {
        let screen = try await asking()
        try screen.host.type("(555) 123-4567", into: "requestCode.identifier")
        try screen.host.tap("requestCode")
        try await screen.host.wait("the code") { screen.has("verifyCode.code") }
        screen.model.phoneRegion = PhoneRegion("DE")
        #expect(screen.model.step == .start && !screen.has("verifyCode.code"))
    }

    @Test func `regions are named and sorted in the language of the texts`() async throws {
        let screen = try await asking(texts: .german)
        let names = screen.model.phoneRegions.map(\.name)
        #expect(names.contains("Österreich") && names.contains("Deutschland"))
        let austria = try #require(names.firstIndex(of: "Österreich"))
        #expect(try austria < #require(names.firstIndex(of: "Polen")))
        #expect(try screen.host.find(["Picker"], "requestCode.region").label == AuthTexts.german(.phoneRegionLabel))
        #expect(try screen.host.options(of: "requestCode.region").count == PhoneRegion.all.count + 1)
    }

    @Test(arguments: [("de_AT", "AT"), ("en_CA", "CA"), ("ar_SA@numbers=arab", "SA"), ("en", nil), ("en_001", nil)])
    func `the region of the device is chosen first`(locale: String, code: String?) {
        #expect(PhoneRegion(Locale(identifier: locale))?.code == code)
    }

    // MARK: Keypads

    #if canImport(UIKit)
    @Test func `a keypad without a return key has a button that sends`() async throws {
        let screen = try await asking()
        try screen.host.type("(555) 123-4567", into: "requestCode.identifier")
        try screen.host.tap("keypad-continue")
        try await screen.host.wait("the code") { screen.has("verifyCode.code") }
        try screen.host.type(try #require(screen.server.code(for: "+15551234567")), into: "verifyCode.code")
        try screen.host.tap("keypad-continue")
        try await screen.host.wait("the password") { screen.has("register.password") }
        // The password's keyboard has a return key.
        #expect(screen.focus == "register.password" && !screen.has("keypad-continue"))
    }

    @Test func `the button of a keypad goes to the next field`() async throws {
        let screen = try Screen(.barqnet)
        try await screen.start()
        try screen.host.type("+15551234567", into: "signIn.identifier")
        try screen.host.tap("keypad-continue")
        #expect(screen.focus == "signIn.password")
    }

    @Test func `scrolling a form dismisses the keyboard`() async throws {
        let screen = try Screen(.vici)
        try await screen.start()
        let form = try #require(screen.host.all.first { $0.kind == "Form" })
        #expect(form.looks["scrollDismissesKeyboard"] == "interactively")
        #expect(!screen.has("keypad-continue"))
    }
    #endif
}
