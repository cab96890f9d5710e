import Foundation
import OstiaryEngine

extension EnglishTexts {
    var undoAndSignOut: String { "Undo and sign out everywhere" }

    func undoFactorChange(_ change: UndoableFactorChange) -> Outcome {
        let effect =
            switch change.change {
            case .added:
                "The button removes it, unless it was used to sign in, and signs your account out on all devices."
            case .recoveryCodesReplaced:
                "The button makes your earlier codes valid again, and signs your account out on all devices."
            default: "The button brings back what was removed, and signs your account out on all devices."
            }
        return Outcome(
            heading: "Was this not you?",
            paragraphs: [
                sentence(change), "When: \(change.at.timeInUTC)", effect, "If it was you, just close this page.",
            ])
    }

    func factorChangeUndone(_ change: UndoableFactorChange, _ outcome: FactorUndoOutcome) -> Outcome {
        let next = "Go back to the app, sign in, and change your password: somebody else may know it."
        switch outcome {
        case .undone, .overtaken:
            return Outcome(
                heading: "The change is undone", paragraphs: ["Your account is signed out on all devices.", next])
        case .additionKept:
            return Outcome(
                heading: "Your account is signed out on all devices",
                paragraphs: [
                    change.change == .recoveryCodesReplaced
                        ? "Your earlier codes are valid again. The new ones are too, because one was used to sign in. Create new codes in the app."
                        : "What was added is still there: it was used to sign in, or it is the only way to. Sign in with another second factor, and remove it in the app.",
                    next,
                ])
        case .incomplete:
            return Outcome(
                heading: "Your account is signed out on all devices",
                paragraphs: [
                    "Not everything could be brought back: your account has as many second factors as possible. Remove one in the app, and open the link once more.",
                    next,
                ])
        }
    }

    var undoLinkOver: Outcome {
        Outcome(
            heading: "This link is no longer good",
            paragraphs: [
                "It was used already or is too old. Nothing was changed now.",
                "If somebody else may use your account, change your password in the app, and look at the list of second factors there.",
            ])
    }

    // MARK: Recovery

    func passkeyRecoveryWaits(until opensAt: Date) -> Outcome {
        Outcome(
            heading: "Come back later",
            paragraphs: [
                "From \(opensAt.timeInUTC) on, this link adds a new passkey to your account. Until then, the owner has time to notice the request.",
                "Did you find your passkey? Sign in with it in the app. This link is then no longer good.",
            ])
    }

    var passkeyRecoveryInApp: String {
        "Open the link of the message in the app, or copy the recovery token from the message into the app. Passkeys do not work at this address."
    }

    var passkeyRecovered: Outcome {
        Outcome(
            heading: "Your passkey is added",
            paragraphs: [
                "Your account is signed out on all devices. Go back to the app and sign in with the new passkey.",
                "If the lost one is still listed there, remove it. Earlier passkeys that are no longer listed do not work any more. Then create recovery codes.",
            ])
    }

    var recoveryLinkOver: Outcome {
        Outcome(
            heading: "This link is no longer good",
            paragraphs: [
                "It was used already, is too old, or somebody has signed in with a passkey since. Nothing was changed now.",
                "If you cannot sign in, ask for a new link in the app.",
            ])
    }

    private func sentence(_ change: UndoableFactorChange) -> String {
        let name =
            switch change.kind {
            case .totp: "An authenticator app"
            case .passkey: "A passkey"
            case nil: "A second factor"
            }
        return switch change.change {
        case .added: "\(name) was added to your account."
        case .removed: "\(name) was removed from your account."
        case .reset: "All second factors of your account were removed."
        case .recoveryCodesReplaced: "Your account has new recovery codes."
        case .recoveryCodeUsed, .passkeyRefused, .undone: "The second factors of your account were changed."
        }
    }
}
