import Foundation
import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

@testable import OstiaryUI

@MainActor struct SecuritySectionTests {
    // MARK: The list

    @Test func `lists the factors, and offers what can be added`() async throws {
        let screen = try await Screen.account(passkeys: TestPasskeys())
        try await screen.host.wait("the section") { screen.shows("add-authenticator") }
        #expect(screen.host.has("Section", screen.texts(.security)) && screen.shows("add-passkey"))
        #expect(!screen.shows("recovery-codes"))
        try await screen.addAuthenticator(named: "My phone")
        let row = try #require(screen.host.all.first { $0.attributes["id"]?.hasPrefix("factor.") == true })
        #expect(row.label.hasPrefix("My phone Authenticator app Added Jan 15, 2027"))
        #expect(row.label.hasSuffix("Not used yet"))
        #expect(try screen.button("recovery-codes").label == "Recovery codes 10 codes left")
    }

    @Test func `is not there where the server has no second factors`() async throws {
        let screen = try Screen(inside: .vici) { model in NavigationStack { AccountView(model) } }
        screen.server.refuse(.operation(.listFactors, of: .vici), with: .notFound)
        try await screen.enter()
        #expect(screen.shows("sign-out") && !screen.host.has("Section", screen.texts(.security)))
    }

    @Test func `says when the list does not load, and loads it again`() async throws {
        let screen = try Screen(inside: .vici) { model in NavigationStack { AccountView(model) } }
        screen.server.refuse(.operation(.listFactors, of: .vici), with: .unavailable(incident: nil), times: 1)
        try await screen.enter()
        try await screen.host.wait("the error") { screen.shows("factors-error") }
        try screen.host.tap("load-factors")
        try await screen.host.wait("the list") { screen.shows("add-authenticator") }
        #expect(!screen.shows("factors-error"))
    }

    // MARK: An authenticator app

    @Test func `shows the exact URI as a QR code, and the key as text`() async throws {
        let screen = try await Screen.account()
        _ = try await screen.beginAuthenticator()
        let pending = try #require(screen.model.pendingTOTP)
        let code = try #require(screen.qrCode)
        // The generator gets the URI byte for byte; dots and blanks between modules would come from smoothing.
        #expect(code["payload"] == pending.uri.reveal() && pending.uri.reveal().hasPrefix("otpauth://totp/"))
        #expect(code["sharp"] == "true" && code["inverts"] == "never" && code["privacySensitive"] == "true")
        let image = try #require(screen.host.all.first { $0.kind == "QRCode" })
        #expect(image.looks["background"] == "white" && image.looks["padding"] == "20")
        #expect(image.label == screen.texts(.authenticatorQRCode))
        let key = try #require(screen.host.all.first { $0.attributes["id"] == "authenticator-key" })
        #expect(key.label.replacing(" ", with: "") == pending.secret.reveal() && key.attributes["spelled"] == "true")
        let field = try screen.field("confirmTOTP.code")
        #expect(field.attributes["textContentType"] == "oneTimeCode")
    }

    @Test func `opens an authenticator app on the same device, and says when there is none`() async throws {
        let screen = try await Screen.account()
        _ = try await screen.beginAuthenticator()
        try screen.host.tap("open-authenticator")
        #expect(screen.host.openedURLs.map(\.absoluteString) == [screen.qrCode?["payload"]])
        #expect(!screen.shows(.noAuthenticator))
        screen.host.opensURLs = false
        try screen.host.tap("open-authenticator")
        #expect(screen.shows(.noAuthenticator))
    }

    @Test func `copies the key for this device alone, for a while`() async throws {
        let screen = try await Screen.account()
        _ = try await screen.beginAuthenticator()
        let secret = try #require(screen.model.pendingTOTP?.secret.reveal())
        try screen.host.tap("copy")
        #expect(try screen.button("copy").label == screen.texts(.copied))
        #if canImport(UIKit)
        #expect(UIPasteboard.general.shimItems.first?["public.utf8-plain-text"] as? String == secret)
        #expect(UIPasteboard.general.shimOptions[.localOnly] as? Bool == true)
        let end = try #require(UIPasteboard.general.shimOptions[.expirationDate] as? Date)
        #expect((1...180).contains(end.timeIntervalSinceNow))
        #else
        #expect(NSPasteboard.general.shimStrings["public.utf8-plain-text"] == secret)
        #expect(NSPasteboard.general.shimStrings["org.nspasteboard.ConcealedType"] != nil)
        #expect(NSPasteboard.general.shimIsLocal)
        #endif
    }

    @Test func `tells a wrong code at the field, and keeps the QR code`() async throws {
        let screen = try await Screen.account()
        let authenticator = try await screen.beginAuthenticator()
        let right = authenticator.code(at: screen.server.clock.now)
        try screen.host.type(right == "000000" ? "000001" : "000000", into: "confirmTOTP.code")
        let payload = screen.qrCode?["payload"]
        try screen.host.tap("confirmTOTP")
        try await screen.sees(.authenticatorCodeRefused)
        #expect(screen.message(at: "confirmTOTP.code") == screen.texts(.authenticatorCodeRefused))
        #expect(screen.qrCode?["payload"] == payload && screen.focus == "confirmTOTP.code")
    }

    @Test func `begins again with another key after ten minutes`() async throws {
        let screen = try await Screen.account()
        let authenticator = try await screen.beginAuthenticator()
        let payload = screen.qrCode?["payload"]
        screen.server.clock.advance(by: .seconds(601))
        try screen.host.type(authenticator.code(at: screen.server.clock.now), into: "confirmTOTP.code")
        try screen.host.tap("confirmTOTP")
        // The sign-in is older than five minutes by now.
        try await screen.confirmPassword()
        try await screen.sees(.authenticatorExpired)
        try screen.host.tap("renew-authenticator")
        try await screen.host.wait("another key") { screen.qrCode != nil }
        #expect(screen.qrCode?["payload"] != payload)
    }

    @Test func `keeps the key while the app is locked, and the person is in the authenticator app`() async throws {
        let moment = Moment()
        let screen = try Screen(inside: .vici, moment: moment) {
            $0.biometricPrompt = ScriptedBiometricPrompt()
        } content: { model in
            NavigationStack { AccountView(model) }
        }
        try await screen.enter()
        _ = try await screen.beginAuthenticator()
        let payload = screen.qrCode?["payload"]
        moment.become(.background, on: screen)
        screen.auth.lock()
        moment.become(.active, on: screen)
        try await screen.host.wait("the account") { screen.shows("sign-out") }
        #expect(screen.qrCode == nil)
        _ = try await screen.beginAuthenticator()
        #expect(screen.qrCode?["payload"] == payload && screen.asked(.beginTOTP) == 1)
    }

    // MARK: Recovery codes

    @Test func `shows recovery codes once, to copy, to share and to print`() async throws {
        let screen = try await Screen.account()
        let authenticator = try await screen.beginAuthenticator()
        try screen.host.type(authenticator.code(at: screen.server.clock.now), into: "confirmTOTP.code")
        try screen.host.tap("confirmTOTP")
        try await screen.host.wait("the codes") { screen.shows("recovery-code") }
        let codes = screen.host.all.filter { $0.attributes["id"] == "recovery-code" }
        #expect(codes.count == 10 && codes.allSatisfy { $0.attributes["spelled"] == "true" })
        #expect(codes.allSatisfy { $0.attributes["privacySensitive"] == "true" })
        let document = try #require(screen.model.recoveryCodesDocument)
        for code in codes { #expect(document.contains(code.label)) }
        let shared = try #require(screen.host.all.first { $0.kind == "ShareLink" }).attributes["item"]
        #expect(shared == document.replacing("\n", with: "⏎"))
        try screen.host.tap("print-codes")
        #if canImport(UIKit)
        #expect(UIPrintInteractionController.shared.shimPrinted.last == document)
        #else
        #expect(NSPrintOperation.shimPrinted.last == document)
        #endif
        // There is no way out but the button.
        #expect(screen.host.has("Sheet") && !screen.shows("cancel") && !screen.shows("done"))
        try screen.host.tap("saved-codes")
        try await screen.host.wait("the account") { screen.title(.account) && !screen.host.has("Sheet") }
        #expect(screen.model.recoveryCodes == nil && screen.model.pendingTOTP == nil)
    }

    @Test func `hides recovery codes while the app is locked, and shows them again after it`() async throws {
        let moment = Moment()
        let screen = try Screen(inside: .vici, moment: moment) {
            $0.biometricPrompt = ScriptedBiometricPrompt()
        } content: { model in
            NavigationStack { AccountView(model) }
        }
        try await screen.enter()
        let authenticator = try await screen.beginAuthenticator()
        try screen.host.type(authenticator.code(at: screen.server.clock.now), into: "confirmTOTP.code")
        try screen.host.tap("confirmTOTP")
        try await screen.host.wait("the codes") { screen.shows("recovery-code") }
        moment.become(.background, on: screen)
        screen.auth.lock()
        try await screen.host.wait("the lock") { screen.shows("unlock") }
        #expect(!screen.shows("recovery-code") && screen.model.recoveryCodes?.count == 10)
        moment.become(.active, on: screen)
        try await screen.host.wait("the codes again") { screen.shows("recovery-code") }
        try screen.host.tap("saved-codes")
        try await screen.host.wait("the account") { screen.shows("sign-out") && !screen.host.has("Sheet") }
    }

    @Test func `replaces the codes after a question and the password`() async throws {
        let screen = try await Screen.account()
        let authenticator = try await screen.addAuthenticator()
        screen.server.clock.advance(by: .seconds(301))
        try screen.host.tap("recovery-codes")
        try screen.host.tap("replace-codes")
        #expect(screen.alert == screen.texts(.confirmReplaceRecoveryCodes))
        try screen.answer(.cancel)
        #expect(screen.asked(.replaceRecoveryCodes) == 0)
        try screen.host.tap("replace-codes")
        try screen.answer(.replaceRecoveryCodes)
        try await screen.confirmPassword()
        try await screen.host.wait("the code") { screen.shows("stepUp.code") }
        try screen.host.type(authenticator.code(at: screen.server.clock.now), into: "stepUp.code")
        try screen.host.tap("stepUp")
        try await screen.tapsLater("saved-codes")
        try await screen.host.wait("the end") { !screen.host.has("Sheet") }
        #expect(screen.title(.recoveryCodesTitle) && screen.asked(.replaceRecoveryCodes) == 2)
    }

    // MARK: Changes

    @Test func `renames a factor, and removes it after a question`() async throws {
        let screen = try await Screen.account()
        try await screen.addAuthenticator(named: "Phone")
        let id = try #require(screen.model.factors?.factors.first?.id.text)
        try screen.host.tap("factor.\(id)")
        #expect(screen.title(.authenticatorApp))
        #expect(try screen.field("renameFactor.factorName").value == "Phone" && !screen.button("rename-factor").enabled)
        try screen.host.type("Tablet", into: "renameFactor.factorName")
        try screen.host.tap("rename-factor")
        try await screen.sees(.factorRenamed)
        #expect(screen.host.has("Text", "Tablet"))
        try screen.host.tap("remove-factor")
        #expect(screen.alert == "Remove Tablet?" && screen.shows(.removeLastFactorLead))
        try screen.answer(.cancel)
        #expect(screen.asked(.removeFactor) == 0)
        try screen.host.tap("remove-factor")
        try screen.answer(.removeFactor)
        try await screen.titled(.account)
        try await screen.sees(.factorRemoved)
        #expect(!screen.shows("factor.\(id)") && !screen.shows("recovery-codes"))
    }

    @Test func `adds a passkey, and says when the device has one`() async throws {
        let screen = try await Screen.account(passkeys: TestPasskeys())
        try await screen.tapsLater("add-passkey")
        try await screen.tapsLater("saved-codes")
        try await screen.host.wait("the account") { !screen.host.has("Sheet") }
        try await screen.idle()
        #expect(screen.host.all.contains { $0.label.hasPrefix("Passkey Added") })
        try screen.host.tap("add-passkey")
        try await screen.sees(.passkeyExists)
        #expect(screen.error == screen.texts(.passkeyExists))
    }

    // MARK: Step-up

    @Test func `a change of the password asks for the second factor, and keeps the form where that is declined`()
        async throws
    {
        let screen = try await Screen.account()
        try await screen.addAuthenticator()
        screen.server.clock.advance(by: .seconds(301))
        try screen.host.tap("change-password")
        try screen.host.type(goodPassword, into: "changePassword.password")
        try screen.host.type("glockenblume am morgen", into: "changePassword.newPassword")
        try screen.host.tap("changePassword")
        try await screen.host.wait("the question") { screen.title(.stepUpTitle) }
        #expect(screen.host.all.filter { $0.kind == "Sheet" }.count == 1)
        try screen.host.tap("cancel")
        try await screen.host.wait("the form") { !screen.host.has("Sheet") && screen.model.running.isEmpty }
        #expect(try screen.field("changePassword.newPassword").value == "glockenblume am morgen")
        #expect(screen.error == nil)
    }

    @Test func `a request of the app asks too, over the app's own content`() async throws {
        let screen = try Screen(inside: .vici, handlesRequests: true) { _ in Text(verbatim: Screen.content) }
        screen.server.route("POST", "/payments", maxAge: .seconds(300)) { _ in .json(#""paid""#) }
        try await screen.enter()
        screen.server.clock.advance(by: .seconds(301))
        let payment = Task { [auth = screen.auth] () async throws -> String in try await auth.post("/payments") }
        try await screen.confirmPassword()
        #expect(try await payment.value == "paid")
        try await screen.host.wait("the end") { !screen.host.has("Sheet") }
    }

    @Test func `a person who declines adds no key`() async throws {
        let screen = try await Screen.account()
        screen.server.clock.advance(by: .seconds(301))
        try await screen.tapsLater("add-authenticator")
        try await screen.host.wait("the question") { screen.title(.stepUpTitle) }
        try screen.host.tap("cancel")
        try await screen.host.wait("the end") { !screen.host.has("Sheet") && screen.model.running.isEmpty }
        #expect(screen.model.pendingTOTP == nil && screen.error == nil && !screen.host.has("ProgressView"))
        try screen.host.tap("renew-authenticator")
        try await screen.confirmPassword()
        try await screen.host.wait("the key") { screen.qrCode != nil }
    }

    @Test func `offers other ways, and tells a wrong answer`() async throws {
        let screen = try await Screen.account()
        try await screen.addAuthenticator()
        screen.server.clock.advance(by: .seconds(301))
        try screen.host.tap("recovery-codes")
        try screen.host.tap("replace-codes")
        try screen.answer(.replaceRecoveryCodes)
        try await screen.host.wait("the question") { screen.shows("stepUp.password") }
        #expect(screen.focus == "stepUp.password" && screen.shows("use-totp") && screen.shows("use-recovery_code"))
        try screen.host.type("not mine", into: "stepUp.password")
        try screen.host.tap("stepUp")
        try await screen.sees(.wrongPassword)
        try screen.host.tap("use-totp")
        #expect(screen.focus == "stepUp.code" && screen.shows("use-password"))
        #expect(try screen.field("stepUp.code").attributes["textContentType"] == "oneTimeCode")
    }
}
