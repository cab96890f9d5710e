extension AuthTexts {
    /// The texts of the account, the lock and the forgotten password.
    static let germanAccount: [TextKey: String] = [
        .resetRequest: "Passwort zurücksetzen",
        .resetRequestLead:
            "Nennen Sie uns Ihre E\u{2011}Mail-Adresse. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.",
        .resetByCodeLead:
            "Nennen Sie uns Ihre Telefonnummer. Wir schicken Ihnen einen Code, mit dem Sie ein neues Passwort wählen.",
        .sendLink: "Link schicken",
        .sendLinkBusy: "Der Link wird geschickt …",
        .resetPassword: "Neues Passwort wählen",
        .resetPasswordNote: "Sie werden auf allen Geräten abgemeldet.",
        .savePassword: "Passwort speichern",
        .savePasswordBusy: "Das Passwort wird gespeichert …",
        .checkMail: "Schauen Sie in Ihr Postfach",
        .noMail: "Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach oder prüfen Sie die Adresse.",
        .linkOver: "Dieser Link gilt nicht mehr",
        .renewLink: "Neuen Link anfordern",
        .passwordSet: "Ihr Passwort ist geändert",

        .account: "Ihr Konto",
        .signedInAs: "Sie sind angemeldet als {name}.",
        .saveName: "Namen speichern",
        .saveNameBusy: "Wird gespeichert …",
        .changePassword: "Passwort ändern",
        .changePasswordBusy: "Das Passwort wird geändert …",
        .changePasswordNote: "Hier bleiben Sie angemeldet, auf Ihren anderen Geräten werden Sie abgemeldet.",
        .sessions: "Wo Sie angemeldet sind",
        .sessionsNote: "Sie kennen eine dieser Sitzungen nicht? Beenden Sie sie und ändern Sie dann Ihr Passwort.",
        .noSessions: "Der Server nennt keine Sitzungen.",
        .thisDevice: "Dieses Gerät",
        .unknownDevice: "Unbekanntes Gerät",
        .lastUsed: "Zuletzt benutzt: {date}",
        .signedInSince: "Angemeldet seit: {date}",
        .endSession: "Sitzung beenden",
        .endSessionBusy: "Die Sitzung wird beendet …",
        .endSessionOf: "Sitzung beenden: {device}",
        .endSessionTitle: "Diese Sitzung beenden?",
        .endSessionNote: "{device} wird sofort abgemeldet.",
        .endCurrentSessionNote:
            "Sie benutzen gerade dieses Gerät. Um hier weiterzumachen, müssen Sie sich danach wieder anmelden.",
        .devices: "Geräte, auf denen Sie sich anmelden",
        .devicesNote:
            "Falsche Passwörter anderer verzögern Ihre Anmeldung auf diesen Geräten nicht. Sie kennen eines davon nicht? Vergessen Sie es.",
        .noDevices: "Ihr Konto erkennt keine Geräte wieder.",
        .rememberedUntil: "Kein zweiter Schritt bis {date}",
        .forgetDevice: "Gerät vergessen",
        .forgetDeviceBusy: "Das Gerät wird vergessen …",
        .forgetDeviceOf: "Gerät vergessen: {device}",
        .accounts: "Konten auf diesem Gerät",
        .switchAccountHint: "Wechselt zu diesem Konto.",
        .signOut: "Abmelden",
        .confirmSignOut: "Abmelden?",
        .confirmSignOutLead: "Um hier weiterzumachen, müssen Sie sich danach wieder anmelden.",
        .deleteAccount: "Konto löschen",
        .deleteAccountBusy: "Ihr Konto wird gelöscht …",
        .deleteAccountNote:
            "Ihr Konto wird endgültig gelöscht, und Sie werden auf allen Geräten abgemeldet. Niemand kann es zurückholen.",
        .deleteAccountPassword: "Geben Sie Ihr Passwort ein, damit das niemand außer Ihnen tun kann.",
        .confirmDeleteAccount: "Ihr Konto endgültig löschen?",
        .deleteForGood: "Endgültig löschen",

        .lockTitle: "Gesperrt",
        .lockNote: "Zeigen Sie, dass Sie es sind, und machen Sie weiter.",
        .unlock: "Entsperren",
        .unlockBusy: "Wird entsperrt …",
        .unlockReason: "Die App mit Ihrer Anmeldung öffnen.",
        .unlockCancelled: "Noch gesperrt. Entsperren Sie, wenn Sie so weit sind.",
        .unlockFailed:
            "Das hat nicht geklappt, die App bleibt gesperrt. Versuchen Sie es noch einmal. Nach zu vielen Versuchen verlangt das Gerät zuerst seinen Code: Sperren Sie es, entsperren Sie es damit, und kommen Sie wieder. Oder melden Sie sich ab und neu an.",

        .revocationPending:
            "Sie sind auf diesem Gerät abgemeldet. Der Server war nicht zu erreichen: Er erfährt es, sobald es geht.",
        .accountDeleted: "Ihr Konto ist gelöscht.",
        .enrolmentChanged:
            "Die Gesichter oder Fingerabdrücke, die dieses Gerät kennt, haben sich geändert. Melden Sie sich zur Sicherheit neu an.",
        .notEnrolled:
            "Auf diesem Gerät ist kein Gesicht, kein Fingerabdruck und kein Code eingerichtet, mit dem sich die App entsperren ließe. Melden Sie sich neu an.",
        .cancel: "Abbrechen",
        .done: "Fertig",
        .dismissNotice: "Hinweis ausblenden",
    ]
}
