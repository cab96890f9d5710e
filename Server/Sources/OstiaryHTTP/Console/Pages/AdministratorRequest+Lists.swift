import Foundation
import OstiaryEngine

/// The common parts of lists.
extension AdministratorRequest {
    /// The choice of an app.
    ///
    /// - Parameter all: The text of the choice of every app; nil for a list of one app at a time.
    func appField(selected: String, all: String? = nil) -> ConsoleView.Field {
        .choice("app", texts.app, any: all, administration.apps, selected: selected) { app in
            let name = app.name.text
            return (name, name == app.title ? name : "\(app.title) (\(name))")
        }
    }

    /// Returns the links to the first and to the next page of a list; nil if it has one page.
    ///
    /// - Parameters:
    ///   - parameters: The names of the query's parameters that select what the list shows.
    ///   - next: The parameter of the next page; nil on the last.
    func pager(
        _ path: ConsolePath, parameters: [String], next: (name: String, value: String)?
    ) -> ConsoleView.Pager? {
        let kept = query.values(of: parameters)
        let isFirst = query["cursor"] == nil
        guard next != nil || !isFirst else { return nil }
        return ConsoleView.Pager(
            firstPage: isFirst
                ? nil : ConsoleView.Pager.Page(pageURL: path.url(kept), pageText: texts.firstPage),
            nextPage: next.map {
                ConsoleView.Pager.Page(pageURL: path.url(kept + [($0.name, $0.value)]), pageText: texts.nextPage)
            })
    }

    /// Returns the date of a parameter such as `2026-11-25`, at the beginning of the day in UTC; nil if there is none.
    ///
    /// - Throws: ``AdministrationProblem`` for any other text.
    func date(_ name: String) throws -> Date? {
        guard let text = query[name] else { return nil }
        guard text.utf8.count == 10,
            let date = try? Date(text, strategy: Date.ISO8601FormatStyle().year().month().day())
        else {
            throw AdministrationProblem.invalid(name, "date_malformed", "\(name): needs a date such as 2026-11-25")
        }
        return date
    }
}
