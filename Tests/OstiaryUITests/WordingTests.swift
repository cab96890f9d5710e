import Foundation
import OstiaryClientTestSupport
@testable import OstiaryUI
import Testing

/// An app and the server's own pages say the same of the same.
@Suite struct WordingTests {
    /// What only an app says, or says otherwise because there is no app to go back to.
    private static let onlyHere: Set<TextKey> = [
        .malformedRequest, .refreshTokenReused, .wrongCredentialsPhoneNumber, .wrongCredentialsUsername, .wrongPassword,
        .authorizationRefused, .challengeRequired, .notFound, .identifierTakenPhoneNumber, .identifierTakenUsername,
        .phoneNumberMissing, .usernameMissing, .codeMissing, .phoneNumberMalformed,
        .codeMalformed, .codeLength, .offline, .connectionLost, .untrusted, .invalidResponse, .browserFailed, .store,
        .locked, .notSignedIn, .appMistake, .strength0, .strength1, .strength2, .strength3, .strength4,
        .strengthCommonWord, .strengthOwnName, .strengthRun, .strengthKeyboard, .strengthRepetition, .strengthYear,
        .strengthShort, .memoryOnly, .passwordChanged, .profileSaved, .codeSent, .requestDeviceLink, .deviceLinkSent,
        .deviceLinkLead, .redeemDeviceLink, .deviceRecognized,
    ]

    /// The pages of a server show no account, no sessions and no lock.
    private static let onlyInAccounts: Set<TextKey> = [
        .resetByCodeLead, .resetPasswordNote, .signedInAs, .saveName, .changePassword, .changePasswordNote,
        .sessions, .sessionsNote, .noSessions, .thisDevice, .unknownDevice, .lastUsed, .signedInSince,
        .endSession, .endSessionOf, .endSessionTitle, .endSessionNote, .endCurrentSessionNote, .accounts,
        .switchAccountHint, .deleteAccount, .deleteAccountNote, .deleteAccountPassword, .confirmDeleteAccount,
        .deleteForGood, .lockTitle, .lockNote, .unlock, .unlockReason, .unlockCancelled, .unlockFailed,
        .revocationPending, .accountDeleted, .enrolmentChanged, .notEnrolled, .cancel, .dismissNotice, .sendLinkBusy,
        .savePasswordBusy, .saveNameBusy, .changePasswordBusy, .endSessionBusy, .deleteAccountBusy, .unlockBusy, .done,
        .devices, .devicesNote, .noDevices, .rememberedUntil, .forgetDevice, .forgetDeviceBusy, .forgetDeviceOf,
    ]

    @Test(arguments: [("English", AuthTexts.english), ("German", .german)])
    func `says what the pages say`(name: String, texts: AuthTexts) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Server/Sources/OstiaryHTTP/Pages/Texts")
        let pages = try ["\(name)Texts.swift", "\(name)Texts+Problems.swift"]
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
            .replacing("\\u{2011}", with: "\u{2011}")
            .replacing(
                /\\\((duration\(seconds\)|seconds|incident|\(seconds \+ 59\) \/ 60|minimum|maximum)\)/, with: "{}")
        // What stands on a button is each one's own.
        for key in TextKey.allCases
        where !Self.onlyHere.contains(key) && !Self.onlyInAccounts.contains(key)
            && !key.rawValue.hasPrefix("screen_")
        {
            var text = try #require(texts.table[key]).replacing(/\{\w+\}/, with: "{}")
            if key == .unavailable {
                // The pages add a sentence about the incident to the text without one.
                let sentences = try #require(texts.table[.unavailableWithoutIncident])
                #expect(text.hasPrefix("\(sentences) "))
                text = String(text.dropFirst(sentences.count + 1))
            }
            #expect(pages.contains("\"\(text)\""), "\(key): \(text)")
        }
    }
}
