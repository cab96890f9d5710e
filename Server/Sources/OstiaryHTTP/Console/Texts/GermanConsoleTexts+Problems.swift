import OstiaryCore
import OstiaryEngine

extension GermanConsoleTexts {
    func text(of problem: AdministrationProblem) -> String {
        switch problem.code {
        case "not_found": "An dieser Adresse gibt es nichts, oder nichts mehr."
        case "missing" where problem.field == nil:
            "Mindestens E\u{2011}Mail-Adresse, Benutzername oder Telefonnummer ist nötig."
        case "missing", "mistyped", "malformed", "not_supported", "unknown":
            problem.field.flatMap(requirement)
                ?? (problem.code == "missing"
                    ? "Hier fehlt etwas." : "Das kann hier nicht stehen. Prüfen Sie es noch einmal.")
        case "date_malformed": "Geben Sie ein Datum wie 2026-11-25 ein."
        case "too_short": "Das ist zu kurz."
        case "too_long": "Das ist zu lang."
        case "too_many": "Das sind zu viele Werte."
        case "too_common": "Dieses Passwort verwenden zu viele Menschen. Wählen Sie ein anderes."
        case "compromised":
            "Dieses Passwort ist aus einem Datenleck eines anderen Dienstes bekannt. Wählen Sie ein anderes."
        case "contains_identifier":
            "Das Passwort ist der eigene Name oder die eigene Adresse der Person. Wählen Sie ein anderes."
        case "identifier_taken": "Das gehört schon zu einem anderen Konto."
        case "last_administrator":
            "Nur noch dieses Konto verwaltet den Server. Geben Sie zuerst einer anderen Person die Rolle."
        case "last_way_in": "Das ist der letzte Weg, sich bei dem Konto anzumelden."
        case "account_disabled": "Das Konto ist gesperrt. Entsperren Sie es zuerst."
        case "no_email": "Das Konto hat keine E\u{2011}Mail-Adresse."
        case "has_credentials": "Das Konto hat schon ein Passwort. Lassen Sie es stattdessen zurücksetzen."
        case "not_configured": "Die App hat das nicht."
        case "role_exists": "Eine Rolle mit diesem Namen gibt es schon."
        case "role_read_only": "Diese Rolle steht in der Konfiguration und kann hier nicht geändert werden."
        case "role_limit_reached", "limit_reached": "Die App hat so viele wie möglich. Löschen Sie zuerst etwas."
        case "too_many_roles": "Ein Konto hat höchstens \(Administration.maximumAssignments) Rollen."
        case "too_many_permissions": "Eine Rolle hat höchstens \(RoleDefinitions.maximumPermissions) Berechtigungen."
        case "edit_conflict":
            "Seit dem Öffnen der Seite wurde hier etwas geändert. Nichts wurde gespeichert. Ihre Eingaben stehen unten, daneben die Änderungen. Prüfen Sie sie, und speichern Sie noch einmal."
        case "message_not_failed": "Die Nachricht wurde gesendet, oder sie wartet auf den nächsten Versuch."
        case "message_expired": "Die Nachricht nützt nichts mehr. Die Person kann eine neue anfordern."
        case "name_missing", "name_malformed", "name_too_long":
            "Geben Sie einen Namen mit 1 bis \(FactorName.maximumScalars) Zeichen ein."
        case "scopes_missing": "Wählen Sie mindestens ein Recht."
        case "scope_unknown": "Dieses Recht gibt es nicht."
        case "app_unknown": "Eine App mit einem dieser Namen gibt es nicht."
        case "apps_too_many", "networks_too_many": "Das sind zu viele. Legen Sie einen Schlüssel für weniger an."
        case "network_malformed": "Geben Sie eine Adresse oder ein Netz je Zeile ein, etwa 10.0.0.0/8."
        case "shared_secret": "Die App signiert mit dem Geheimnis ihrer Konfiguration. Ändern Sie es dort."
        case "https_required", "address_refused":
            "Diese Adresse ist nicht erlaubt: Sie braucht https und muss öffentlich sein."
        case "endpoint_disabled": "Der Endpunkt ist ausgeschaltet. Schalten Sie ihn zuerst ein."
        case "too_many_requests":
            switch problem.retryAfterSeconds ?? 60 {
            case 1: "Zu viel auf einmal. Versuchen Sie es in einer Sekunde noch einmal."
            case let seconds: "Zu viel auf einmal. Versuchen Sie es in \(seconds) Sekunden noch einmal."
            }
        default: problem.description
        }
    }

    func requirement(of field: String) -> String? {
        switch field {
        case "app": "Wählen Sie eine App."
        case "full_name": "Geben Sie einen Namen ohne Steuerzeichen und unsichtbare Zeichen ein."
        case "email", "contact": "Geben Sie eine E\u{2011}Mail-Adresse wie name@example.com ein."
        case "email_verified": "Es gibt keine E\u{2011}Mail-Adresse, die bestätigt sein könnte."
        case "username": "Geben Sie einen Benutzernamen ohne Steuerzeichen, unsichtbare Zeichen und | ein."
        case "phone_number": "Geben Sie die Nummer mit + und der Landesvorwahl ein, etwa +493012345678."
        case "phone_number_verified": "Es gibt keine Telefonnummer, die bestätigt sein könnte."
        case "password": "Die Passwörter dieser App prüft ein anderer Dienst. Lassen Sie das Feld leer."
        case "invite": "Die Passwörter dieser App prüft ein anderer Dienst. Senden Sie keine Einladung."
        case "roles":
            "Geben Sie eine Rolle je Zeile ein: ROLLE, oder ROLLE@BEREICH für einen Bereich. Eine Rolle besteht aus \(roleNameHint)."
        case "name": "Eine Rolle besteht aus \(roleNameHint)."
        case "permissions": "Geben Sie eine Berechtigung je Zeile ein, etwa videos:write, videos:* oder *."
        case "url": "Geben Sie eine URL wie https://example.com/events ein."
        case "types", "include": "Wählen Sie aus der Liste."
        case "description": "Geben Sie einen Text ohne Steuerzeichen ein."
        case "days": "Wählen Sie eine der Zeiten."
        default:
            field.utf8.starts(with: AdministrationProblem.attributePrefix.utf8)
                ? "Geben Sie einen Wert der Art ein, die unter dem Feld steht." : nil
        }
    }

    func problems(_ count: Int) -> String {
        "\(count) Eingaben können so nicht gespeichert werden. Bei jeder steht, warum."
    }
    var changedMeanwhile: String { "Seit dem Öffnen der Seite geändert. Das ist der aktuelle Wert." }
    func changedTo(_ value: String) -> String {
        value.isEmpty
            ? "Seit dem Öffnen der Seite geändert. Jetzt ist das Feld leer."
            : "Seit dem Öffnen der Seite geändert. Aktueller Wert: \(value)"
    }
    var choiceNotKept: String {
        "Ihre Auswahl wurde nicht übernommen, weil sich andere Werte geändert haben. Wählen Sie noch einmal."
    }

    func name(of type: AttributeType) -> String {
        switch type {
        case .string: "Text"
        case .integer: "Eine ganze Zahl"
        case .number: "Eine Zahl, etwa 1.5"
        case .boolean: "true oder false"
        case .stringList: "Texte, durch Kommas getrennt"
        case .dateTime: "Eine Zeit wie 2026-01-31T12:00:00Z"
        }
    }
}
