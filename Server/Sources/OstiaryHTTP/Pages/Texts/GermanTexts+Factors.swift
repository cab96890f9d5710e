import Foundation
import OstiaryEngine

extension GermanTexts {
    var undoAndSignOut: String { "Rückgängig machen und überall abmelden" }

    func undoFactorChange(_ change: UndoableFactorChange) -> Outcome {
        let effect =
            switch change.change {
            case .added:
                "Der Knopf entfernt das wieder, sofern es nicht zur Anmeldung benutzt wurde, und meldet Ihr Konto auf allen Geräten ab."
            case .recoveryCodesReplaced:
                "Der Knopf macht Ihre früheren Codes wieder gültig und meldet Ihr Konto auf allen Geräten ab."
            default: "Der Knopf stellt wieder her, was entfernt wurde, und meldet Ihr Konto auf allen Geräten ab."
            }
        return Outcome(
            heading: "Waren Sie das nicht?",
            paragraphs: [
                sentence(change), "Wann: \(change.at.timeInUTC)", effect,
                "Wenn Sie es waren, schließen Sie einfach diese Seite.",
            ])
    }

    func factorChangeUndone(_ change: UndoableFactorChange, _ outcome: FactorUndoOutcome) -> Outcome {
        let next =
            "Gehen Sie zurück zur App, melden Sie sich an, und ändern Sie Ihr Passwort: Vielleicht kennt es noch jemand."
        switch outcome {
        case .undone, .overtaken:
            return Outcome(
                heading: "Die Änderung ist rückgängig gemacht",
                paragraphs: ["Ihr Konto ist auf allen Geräten abgemeldet.", next])
        case .additionKept:
            return Outcome(
                heading: "Ihr Konto ist auf allen Geräten abgemeldet",
                paragraphs: [
                    change.change == .recoveryCodesReplaced
                        ? "Ihre früheren Codes gelten wieder. Die neuen gelten auch, weil einer zur Anmeldung benutzt wurde. Erzeugen Sie in der App neue Codes."
                        : "Was hinzugefügt wurde, ist noch da: Es wurde zur Anmeldung benutzt, oder es gibt keinen anderen Weg dazu. Melden Sie sich mit einem anderen zweiten Faktor an, und entfernen Sie es in der App.",
                    next,
                ])
        case .incomplete:
            return Outcome(
                heading: "Ihr Konto ist auf allen Geräten abgemeldet",
                paragraphs: [
                    "Nicht alles konnte wiederhergestellt werden: Ihr Konto hat so viele zweite Faktoren wie möglich. Entfernen Sie in der App einen, und öffnen Sie den Link noch einmal.",
                    next,
                ])
        }
    }

    var undoLinkOver: Outcome {
        Outcome(
            heading: "Dieser Link gilt nicht mehr",
            paragraphs: [
                "Er wurde schon benutzt oder ist zu alt. Jetzt wurde nichts geändert.",
                "Wenn vielleicht jemand anderes Ihr Konto benutzt, ändern Sie Ihr Passwort in der App, und prüfen Sie dort die Liste der zweiten Faktoren.",
            ])
    }

    // MARK: Recovery

    func passkeyRecoveryWaits(until opensAt: Date) -> Outcome {
        Outcome(
            heading: "Kommen Sie später wieder",
            paragraphs: [
                "Ab \(opensAt.timeInUTC) fügt dieser Link Ihrem Konto einen neuen Passkey hinzu. Bis dahin kann der Inhaber des Kontos die Anfrage bemerken.",
                "Haben Sie Ihren Passkey gefunden? Melden Sie sich damit in der App an. Dieser Link gilt dann nicht mehr.",
            ])
    }

    var passkeyRecoveryInApp: String {
        "Öffnen Sie den Link der Nachricht in der App, oder kopieren Sie das Token aus der Nachricht in die App. Unter dieser Adresse gibt es keine Passkeys."
    }

    var passkeyRecovered: Outcome {
        Outcome(
            heading: "Ihr Passkey ist hinzugefügt",
            paragraphs: [
                "Ihr Konto ist überall abgemeldet. Gehen Sie zurück zur App, und melden Sie sich mit dem neuen Passkey an.",
                "Steht der verlorene dort noch in der Liste, entfernen Sie ihn. Frühere Passkeys, die nicht mehr in der Liste stehen, gelten nicht mehr. Legen Sie dann Wiederherstellungscodes an.",
            ])
    }

    var recoveryLinkOver: Outcome {
        Outcome(
            heading: "Dieser Link gilt nicht mehr",
            paragraphs: [
                "Er wurde schon benutzt, ist zu alt, oder jemand hat sich inzwischen mit einem Passkey angemeldet. Jetzt wurde nichts geändert.",
                "Können Sie sich nicht anmelden, fordern Sie in der App einen neuen Link an.",
            ])
    }

    private func sentence(_ change: UndoableFactorChange) -> String {
        let name =
            switch change.kind {
            case .totp: "Eine Authenticator-App"
            case .passkey: "Ein Passkey"
            case nil: "Ein zweiter Faktor"
            }
        return switch change.change {
        case .added: "\(name) wurde Ihrem Konto hinzugefügt."
        case .removed: "\(name) wurde aus Ihrem Konto entfernt."
        case .reset: "Alle zweiten Faktoren Ihres Kontos wurden entfernt."
        case .recoveryCodesReplaced: "Ihr Konto hat neue Wiederherstellungscodes."
        case .recoveryCodeUsed, .passkeyRefused, .undone: "Die zweiten Faktoren Ihres Kontos wurden geändert."
        }
    }
}
