import OstiaryEngine

extension GermanConsoleTexts {
    func name(of action: PersonAction) -> String {
        switch action {
        case .edit: "Bearbeiten"
        case .roles: "Rollen ändern"
        case .disable: "Sperren"
        case .enable: "Entsperren"
        case .delete: "Konto löschen"
        case .password: "Passwort festlegen"
        case .passwordReset: "Passwort zurücksetzen lassen"
        case .invite: "Einladung senden"
        case .endSession: "Sitzung beenden"
        case .endSessions: "Alle Sitzungen beenden"
        case .removeFactor: "Entfernen"
        case .resetFactors: "Alle zweiten Faktoren entfernen"
        case .unlinkIdentity: "Verknüpfung lösen"
        case .export: "Daten exportieren"
        }
    }

    func name(of task: ConsoleTask) -> String {
        switch task {
        case .newRole: "Neue Rolle"
        case .editRole: "Bearbeiten"
        case .deleteRole: "Löschen"
        case .newServiceKey: "Neuer Dienstschlüssel"
        case .revokeServiceKey: "Widerrufen"
        case .rotateSigningKeys: "Wechseln"
        case .retryMessage: "Noch einmal senden"
        case .newEndpoint: "Neuer Endpunkt"
        case .endpoint: "Endpunkt"
        case .editEndpoint: "Bearbeiten"
        case .deleteEndpoint: "Endpunkt löschen"
        case .rotateEndpointSecret: "Neues Geheimnis"
        case .testEndpoint: "Test senden"
        case .redeliver: "Noch einmal zustellen"
        }
    }

    func consequence(of action: PersonAction) -> String? {
        switch action {
        case .edit: "Apps sehen die neuen Werte bei der nächsten Anfrage."
        case .roles: "Berechtigungen ändern sich mit der nächsten Anfrage der Person."
        case .disable: "Alle Sitzungen enden sofort, und die Person kann sich nicht anmelden."
        case .enable: "Die Person kann sich wieder anmelden."
        case .delete: "Das Konto, seine Sitzungen und seine Faktoren werden endgültig gelöscht."
        case .password: "Alle Sitzungen enden, und die Person erfährt es per Mail."
        case .passwordReset: "Die Person bekommt eine Mail mit einem Link, um ein neues Passwort festzulegen."
        case .invite: "Die Person bekommt eine Mail mit einem Link, um ein Passwort festzulegen."
        case .endSession: "Die Person muss sich auf diesem Gerät neu anmelden."
        case .endSessions: "Die Person muss sich auf jedem Gerät neu anmelden."
        case .removeFactor: "Die Person erfährt es per Mail und kann es rückgängig machen."
        case .resetFactors:
            "Alle zweiten Faktoren und Wiederherstellungscodes werden entfernt, und alle Sitzungen enden. Die Person erfährt es per Mail."
        case .unlinkIdentity: "Die Person kann sich nicht mehr über diesen Anbieter anmelden."
        case .export:
            "Eine JSON-Datei mit allem, was über die Person gespeichert ist, ohne Geheimnisse. Der Export steht im Protokoll."
        }
    }

    func consequence(of task: ConsoleTask) -> String? {
        switch task {
        case .deleteRole: "Wer die Rolle hat, behält sie dem Namen nach; sie erlaubt nichts mehr."
        case .revokeServiceKey: "Anfragen mit dem Schlüssel werden ab jetzt abgelehnt."
        case .rotateSigningKeys:
            "Ein neuer Schlüssel signiert ab jetzt. Keine Sitzung endet: Frühere Token gelten, bis sie ablaufen."
        case .retryMessage: "Die Nachricht wird sofort noch einmal gesendet."
        case .deleteEndpoint: "Ereignisse, die auf Zustellung warten, werden verworfen."
        case .rotateEndpointSecret: "Das vorherige Geheimnis gilt noch 24 Stunden."
        case .testEndpoint: "Ein Ereignis ohne Konto wird an den Endpunkt gesendet."
        case .redeliver: "Dasselbe Ereignis wird noch einmal gesendet, außer der Reihe."
        case .newEndpoint, .editEndpoint:
            "Ohne ausgewähltes Ereignis werden alle gesendet. Enthaltene Felder verlassen den Server mit jedem Ereignis."
        case .newRole, .editRole, .newServiceKey, .endpoint: nil
        }
    }

    func confirmation(of action: PersonAction) -> String {
        switch action {
        case .edit, .roles, .password: "Speichern"
        case .passwordReset, .invite: "Senden"
        default: name(of: action)
        }
    }

    func confirmation(of task: ConsoleTask) -> String {
        switch task {
        case .editRole, .editEndpoint: "Speichern"
        case .newRole, .newServiceKey, .newEndpoint: "Anlegen"
        default: name(of: task)
        }
    }

    func notice(_ code: String) -> String? {
        switch PersonAction(rawValue: code) {
        case .edit, .roles: return "Die Änderungen sind gespeichert."
        case .disable: return "Das Konto ist gesperrt."
        case .enable: return "Das Konto ist entsperrt."
        case .delete: return "Das Konto wurde gelöscht."
        case .password: return "Das Passwort ist gesetzt."
        case .passwordReset: return "Die Mail mit dem Link ist unterwegs."
        case .invite: return "Die Einladung ist unterwegs."
        case .endSession: return "Die Sitzung ist beendet."
        case .endSessions: return "Alle Sitzungen sind beendet."
        case .removeFactor, .resetFactors: return "Der zweite Faktor wurde entfernt."
        case .unlinkIdentity: return "Die Verknüpfung wurde gelöst."
        case .export, nil: break
        }
        switch ConsoleTask(rawValue: code) {
        case .newRole: return "Die Rolle wurde angelegt."
        case .editRole, .editEndpoint: return "Die Änderungen sind gespeichert."
        case .deleteRole: return "Die Rolle wurde gelöscht."
        case .revokeServiceKey: return "Der Dienstschlüssel ist widerrufen."
        case .rotateSigningKeys: return "Ein neuer Schlüssel signiert ab jetzt."
        case .retryMessage: return "Die Nachricht ist noch einmal unterwegs."
        case .deleteEndpoint: return "Der Endpunkt wurde gelöscht."
        case .testEndpoint: return "Der Test ist unterwegs."
        case .redeliver: return "Das Ereignis ist noch einmal unterwegs."
        case .newServiceKey, .newEndpoint, .endpoint, .rotateEndpointSecret, nil: break
        }
        return code == "created" ? "Das Konto wurde angelegt." : nil
    }
}
