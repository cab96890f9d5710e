import Foundation

/// The values of the console's template, complete but for escaping.
///
/// The template looks a name up in the innermost value that has it, so every name here is unlike all names of the values
/// around it, as in ``PageView``.
struct ConsoleView {
    var language: String
    var title: String
    var brand: String
    /// The first letter of the brand, for its logo.
    var initial: String
    var heading: String
    /// Replaces this page at once by another one.
    var forward: Forward?
    /// Nil for a page outside a session.
    var frame: Frame?
    /// The pages above this one.
    var trail: Trail?
    /// The name of the person or thing that the page is about.
    var subject: Subject?
    var notice: Notice?
    var blocks: [Block] = []
    var words: Words
    var development: Development?

    struct Forward {
        var forwardURL: String
        var forwardText: String
    }

    /// The parts of every page of a session.
    struct Frame {
        var navigation: [Destination]
        var signedInAs: String
        var accountURL: String
        var signOutURL: String
        var signOutToken: String
    }

    struct Destination {
        var destinationURL: String
        var destinationText: String
        var isCurrent: Bool
    }

    struct Trail {
        var crumbs: [Crumb]

        struct Crumb {
            var crumbURL: String
            var crumbText: String
        }
    }

    struct Subject {
        var subjectLead: Phrase
        var subjectBadges: [Badge]
    }

    /// The result of the last action, or the reason that it was refused.
    struct Notice {
        var noticeText: String
        var isProblem: Bool
    }

    struct Badge {
        var badgeText: String
        var badgeKind: Kind

        enum Kind: String, CustomStringConvertible {
            case neutral, good, bad, waiting
            var description: String { rawValue }
        }
    }

    /// Texts of the template itself.
    struct Words {
        var skipToContent: String
        var menu: String
        var sections: String
        var account: String
        var signOut: String
        var pages: String
        var breadcrumb: String
        var chartAsTable: String
        var stylesheetPath = ConsoleAssets.styleSheetPath
        var scriptPath = ConsoleAssets.scriptPath
        var iconPath = ConsoleAssets.iconPath
    }

    struct Development {
        var developmentText: String
    }
}

extension ConsoleView {
    /// A part of a page, with a heading of its own or none. Each has one kind of content.
    struct Block {
        /// Unique on the page.
        var blockID: String
        var blockHeading: String?
        var blockNote: String?
        var filter: Filter?
        var tiles: Tiles?
        var chart: Chart?
        var table: Table?
        var facts: Facts?
        var form: Form?
        var actions: Actions?
        /// The sentence that stands for an empty list.
        var empty: String?
        var pager: Pager?
        var source: Source?
        var isNarrow = false

        init(_ id: String, _ heading: String? = nil, note: String? = nil) {
            blockID = id
            blockHeading = heading
            blockNote = note
        }
    }

    /// Figures at the top of a page.
    struct Tiles {
        var figures: [Figure]

        struct Figure {
            var figureLabel: String
            var figureValue: String
            var figureNote: String?
        }
    }

    /// Names with values.
    struct Facts {
        var entries: [Fact]
    }

    struct Fact {
        var factName: String
        var factValue: Cell
    }

    struct Table {
        var tableCaption: String
        var columns: [Column]
        var rows: [Row]
    }

    struct Column {
        var columnTitle: String
        var isNumeric = false
    }

    struct Row {
        var cells: [Cell]
    }

    /// A value of a table or a fact: any of its parts may be absent.
    struct Cell {
        /// The title of its column, for screens that are too narrow for columns.
        var cellLabel = ""
        var isRowHeader = false
        var isNumber = false
        var isWide = false
        var cellLink: Link?
        var cellText: String?
        var cellCode: String?
        var cellTime: Time?
        var cellBadges: [Badge] = []
        var cellNote: String?
        var cellBar: Bar?
        var cellActions: CellActions?
    }

    struct Link {
        var linkURL: String
        var linkText: String
    }

    struct Time {
        var machineTime: String
        var humanTime: String
    }

    /// A share of a whole, drawn beside its number.
    struct Bar {
        /// 0 to 100.
        var barWidth: Int
    }

    struct CellActions {
        var links: [ActionLink]
    }

    /// A link to a page that confirms an action.
    struct ActionLink {
        var actionURL: String
        var actionText: String
        /// The accessible name, which contains the visible text and names the row. Source: WCAG 2.2 §2.5.3.
        var actionName: String?
        var isDangerous = false
        var isPrimary = false
    }

    struct Actions {
        var actionLinks: [ActionLink]
    }

    struct Pager {
        var firstPage: Page?
        var nextPage: Page?

        struct Page {
            var pageURL: String
            var pageText: String
        }
    }

    /// Text in the spelling of a file.
    struct Source {
        var sourceText: String
        var sourceName: String
    }
}
