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

    /// Returns the value that a filter selects; nil if it selects none.
    ///
    /// - Throws: ``AdministrationProblem`` for a text without a value: the unfiltered list would pass for a filtered one.
    func filter<Value>(_ name: String, _ value: (String) -> Value?) throws -> Value? {
        if let (_, code) = query.problems.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
            throw AdministrationProblem.invalid(name, code, "\(name): \(code)")
        }
        guard let text = query[name] else { return nil }
        guard let value = value(text) else {
            throw AdministrationProblem.invalid(name, "not_supported", "\(name): has no such value")
        }
        return value
    }

    /// Returns the text of a filter that takes any; nil if it selects none.
    func filter(_ name: String) throws -> String? { try filter(name) { $0 } }

    /// Returns the app that a list is restricted to; nil for every app.
    func filteredApp() throws -> AdministeredApp? {
        try filter("app") { name in administration.apps.first { $0.name.text.utf8.elementsEqual(name.utf8) } }
    }

    /// Returns the date of a parameter such as `2026-11-25`, at the beginning of the day in UTC; nil if there is none.
    ///
    /// - Throws: ``AdministrationProblem`` for any other text.
    func date(_ name: String) throws -> Date? {
        guard let text = try filter(name) else { return nil }
        let style = Date.ISO8601FormatStyle().year().month().day()
        // The parser takes 30 February for 2 March.
        guard let date = try? Date(text, strategy: style), date.formatted(style).utf8.elementsEqual(text.utf8) else {
            throw AdministrationProblem.invalid(name, "date_malformed", "\(name): needs a date such as 2026-11-25")
        }
        return date
    }
}
