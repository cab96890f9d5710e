import Foundation

extension GermanTexts {
    var signOutAndReset: String { "Das war ich nicht" }

    func denySignIn(at time: Date) -> Outcome {
        Outcome(
            heading: "Waren Sie das nicht?",
            paragraphs: [
                "Jemand hat sich mit Ihren Zugangsdaten bei Ihrem Konto angemeldet oder wollte es.",
                "Wann: \(time.timeInUTC)",
                "Der Knopf meldet Ihr Konto auf allen Geräten ab und macht Ihr Passwort ungültig. Sie bekommen eine Nachricht mit einem Link für ein neues.",
                "Wenn Sie es waren, schließen Sie einfach diese Seite.",
            ])
    }

    func signInDenied(isResetSent: Bool) -> Outcome {
        Outcome(
            heading: "Ihr Konto ist auf allen Geräten abgemeldet",
            paragraphs: isResetSent
                ? [
                    "Das Passwort gilt nicht mehr. Öffnen Sie den Link der Nachricht, die wir Ihnen gerade geschickt haben, und wählen Sie ein neues.",
                    "Wenn Sie das alte Passwort auch anderswo benutzen, ändern Sie es dort ebenfalls.",
                ]
                : [
                    "Gehen Sie zurück zur App und melden Sie sich an. Wenn Sie ein Passwort benutzt haben, fordern Sie dort einen Link für ein neues an."
                ])
    }

    var denialLinkOver: Outcome {
        Outcome(
            heading: "Dieser Link gilt nicht mehr",
            paragraphs: [
                "Er wurde schon benutzt, ist zu alt, oder das Passwort wurde seitdem geändert. Jetzt wurde nichts geändert.",
                "Wenn vielleicht jemand anderes Ihr Konto benutzt, ändern Sie Ihr Passwort in der App.",
            ])
    }
}
