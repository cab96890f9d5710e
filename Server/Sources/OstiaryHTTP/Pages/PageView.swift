/// The template's values, complete but for escaping.
///
/// The template looks a name up in the innermost value that has it, so every name here is unlike all names of the
/// values around it: an absent one would otherwise be taken from there.
struct PageView {
    var language: String
    var title: String
    var styleSheet: String
    var brand: String
    /// The first letter of the brand, for its logo.
    var initial: String
    var heading: String
    var lead: Phrase?
    var notice: Notice?
    /// The drawing above the heading of an outcome.
    var drawing: Drawing?
    var paragraphs: [String] = []
    var figure: Figure?
    var codes: CodeList?
    var form: Form?
    var passkey: Passkey?
    var choice: ChoiceForm?
    var sections: [Section] = []
    var menu: Menu?
    var person: Person?
    var links: [Link] = []
    var messages: [Message] = []
    var home: Home?
    var development: Development?
    var hasScript = true
    var isWide = false

    /// The account that is signed in, with a link to use another one.
    struct Person {
        var words: Phrase
        var otherURL: String?
        var otherText: String
    }

    /// The notice's element id, as in the template.
    static let noticeID = "notice"

    /// A vector drawing, 48 by 48.
    struct Drawing {
        var drawingKind: String
        var drawingPath: String

        static let done = Drawing(drawingKind: "done", drawingPath: "M14.5 24.8l6.4 6.4 12.6-13.4")
        static let problem = Drawing(drawingKind: "problem", drawingPath: "M24 13v14M24 34.4v.2")
    }

    /// The notice above a refused form.
    struct Notice {
        var noticeHeading: String
        var noticeText: String
        /// The id of the field that the notice is about.
        var target: String?
    }

    struct Form {
        var action: String
        var hidden: [Hidden]
        var fields: [Field] = []
        var check: Check?
        var buttons: [Button]
        var note: String?
        var work: Work?
    }

    /// The computation that the script adds to a form.
    struct Work {
        var workScript = ProofOfWorkScript.path
        var workField = HostedPage.SignIn.proofOfWorkField
        var workChallenge: String
        var workBits: Int
    }

    struct Hidden {
        var hiddenName: String
        var hiddenValue: String
    }

    struct Button {
        var buttonText: String
        /// The value of the form's field `decision` if this button submits it.
        var decision: String?
        /// `true` if the form is secondary to the page's purpose.
        var isQuiet = false
    }

    /// A link with the text that precedes it.
    struct Link {
        var question: String?
        var url: String
        var linkText: String
        /// `true` for the primary action of a page without a form.
        var isMain = false
    }

    struct Menu {
        var choices: [Choice]
    }

    struct Choice {
        var choiceURL: String
        var choiceText: String
        /// The style of the button: a brand's, or `plain`.
        var style: String
        /// The logo on a light and on a dark page.
        var picture: Picture?
    }

    struct Picture {
        var light: String
        var dark: String
    }

    struct Message {
        var subject: String
        var origin: String
        /// The language of the message; nil for the page's.
        var messageLanguage: String?
        var subjectLanguage: String?
        var recipient: Phrase
        var sentAt: String
        var code: String?
        var messageLink: MessageLink?
        var body: String
    }

    struct MessageLink {
        var messageURL: String
        var messageLinkText: String
    }

    /// The contents of a development server's home page.
    struct Home {
        var attempts: [Attempt]
        var groups: [Group]
        var apps: [App]

        /// A suggestion: a command, a link, or both.
        struct Attempt {
            var attemptText: String
            var command: String?
            var target: Entry?
        }

        struct Group {
            var groupHeading: String
            var entries: [Entry]
        }

        struct Entry {
            var entryURL: String
            var entryLabel: String
            var entryNote: String
        }

        struct App {
            var appName: String
            var contractName: String
            /// The credentials that users sign in with.
            var credentials: String
            var appURL: String
            var documents: [Entry]
            var endpoints: [Endpoint]
        }

        struct Endpoint {
            var method: String
            var endpointPath: String
            var operation: String
        }
    }

    struct Development {
        var developmentText: String
        var inboxText: String
    }
}
