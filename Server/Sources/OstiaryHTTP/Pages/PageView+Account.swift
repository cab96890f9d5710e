import Foundation
import OstiaryCore

extension PageView {
    /// The QR code of an authenticator app's key, with the key as text.
    struct Figure {
        /// Nil if the key does not fit into a QR code.
        var picture: QR?
        var keyLabel: String
        /// The key in groups of four characters.
        var key: String
        /// The `otpauth:` URI.
        var keyURL: String
        var keyLinkText: String
        var afterKey: String

        struct QR {
            var qrSize: Int
            var qrPath: String
            var qrLabel: String
        }
    }

    /// Recovery codes, with buttons that the script shows.
    struct CodeList {
        var recoveryCodes: [String]
        var copyText: String
        var copiedText: String
        var printText: String
    }

    /// The part of a page where the script asks an authenticator.
    struct Passkey {
        /// The reason that no passkey can be used.
        var passkeyUnavailable: String?
        var passkeyForm: PasskeyForm?

        struct PasskeyForm {
            var passkeyScript = PasskeyScript.path
            /// `get` or `create`, the method of `CredentialsContainer`.
            var ceremony: String
            var passkeyAction: String
            var passkeyHidden: [Hidden]
            var optionsURL: String
            var offersAutofill = false
            /// `true` beside a form that is the page's main purpose.
            var isDivided = false
            var passkeyName: Name?
            var check: Check?
            var passkeyButton: String
            var needsScript: String
            var unsupported: String
            var cancelled: String
            var failed: String
            var exists: String
        }

        struct Name {
            var nameLabel: String
            var nameValue: String
            var nameComplaint: String?
        }
    }

    /// A checkbox of a form.
    struct Check {
        var checkName: String
        var checkLabel: String
        var isChecked: Bool

        /// The field by which a person asks to be remembered in this browser.
        static let rememberDevice = "remember_device"
    }

    /// A form whose buttons are a choice.
    struct ChoiceForm {
        var choiceAction: String
        var choiceHidden: [Hidden]
        var choiceHeading: String?
        var choiceNote: String?
        var choiceButtons: [ChoiceButton]
    }

    struct ChoiceButton {
        var choiceName: String
        var choiceValue: String
        var choiceText: String
        /// `main`, `quiet` or `danger`
        var choiceStyle = "quiet"
    }

    /// A part of the account page.
    struct Section {
        var sectionHeading: String
        var sectionNote: String?
        var list: List?
        var actions: Actions?

        init(_ heading: String, note: String? = nil, _ rows: [Row] = [], links: [SectionLink] = []) {
            sectionHeading = heading
            sectionNote = note
            list = rows.isEmpty ? nil : List(rows: rows)
            actions = links.isEmpty ? nil : Actions(sectionLinks: links)
        }

        struct Actions {
            var sectionLinks: [SectionLink]
        }

        struct List {
            var rows: [Row]
        }
    }

    struct SectionLink {
        var sectionURL: String
        var sectionLinkText: String
    }

    struct Row {
        var rowTitle: String
        var badge: String?
        var rowNotes: [Note] = []
        var rowLink: RowLink?
        var rowForm: RowForm?
    }

    /// A line below a row's title: a text, or a time with the words before it.
    struct Note {
        var noteBefore: String
        var noteTime: Time?

        init(_ text: String) { noteBefore = text }

        /// - Parameter phrase: The words for the text of a time.
        init(_ date: Date, _ phrase: (String) -> Phrase) {
            let time = Time(date)
            noteBefore = phrase(time.humanTime).before
            noteTime = time
        }
    }

    /// A time in UTC, which the script replaces by the browser's time zone and language.
    struct Time {
        var machineTime: String
        var humanTime: String

        init(_ date: Date) {
            machineTime = date.formatted(.iso8601)
            // 2026-11-25T10:00:00Z
            humanTime = "\(machineTime.prefix(10)) \(machineTime.dropFirst(11).prefix(5)) UTC"
        }
    }

    struct RowLink {
        var rowURL: String
        var rowLinkText: String
        /// The accessible name, which contains the visible text.
        var rowLinkName: String
    }

    struct RowForm {
        var rowAction: String
        var rowHidden: [Hidden]
        var rowButtonText: String
        /// The accessible name, which contains the visible text.
        var rowButtonName: String
    }
}
