extension GermanTexts {
    var isNewDevice: String { "Ein neues Gerät?" }
    var sendDeviceLink: String { "Auf einem neuen Gerät anmelden" }
    var deviceLinkLead: String {
        "Jemand hat für Ihr Konto viele Passwörter probiert. Nennen Sie uns Ihre E\u{2011}Mail-Adresse. Wir schicken Ihnen einen Link. Öffnen Sie ihn auf diesem Gerät und melden Sie sich dann an."
    }
    var deviceLinkSent: Outcome {
        Self.mailed(
            "Wenn es zu dieser Adresse ein Konto gibt, ist eine Nachricht mit einem Link unterwegs. Öffnen Sie ihn auf diesem Gerät und melden Sie sich dann an. Er gilt einmal und nicht lange."
        )
    }
    var recognizeDevice: String { "Dieses Gerät erkennen" }
    var recognizeDeviceLead: String {
        "Ihr Konto erkennt diesen Browser von nun an wieder. Falsche Passwörter anderer halten Sie dann nicht mehr auf. Zur Anmeldung brauchen Sie weiterhin Ihr Passwort."
    }
    var recognizeDeviceInApp: String {
        "Öffnen Sie den Link der Nachricht auf dem Gerät, auf dem Sie sich anmelden wollen, in der App, oder kopieren Sie das Geräte-Token aus der Nachricht in die App."
    }
    var deviceRecognized: Outcome {
        Outcome(heading: "Dieses Gerät ist bekannt", paragraphs: ["Melden Sie sich jetzt hier mit Ihrem Passwort an."])
    }
    func deviceLinkOver(renewedHere here: Bool) -> Outcome {
        Outcome(
            heading: "Dieser Link gilt nicht mehr",
            paragraphs: [
                "Er wurde schon benutzt oder ist zu alt, oder Ihr Passwort wurde seither geändert.",
                here ? "Sie können einen neuen anfordern." : "Fordern Sie in der App einen neuen an.",
            ])
    }
}
