package import Foundation
import OstiaryCore

/// An app's name, base URL and texts in messages to its users.
package struct AppPresentation: Sendable {
    /// The name that users know the app by.
    package let displayName: String
    /// The app's public base URL, from the configuration and never from a request.
    package let linkBase: URL
    package let texts: MessageTexts

    /// - Throws: ``InvalidDeliverySetting`` for a name that is empty, longer than 64 characters or not one line, and
    ///   for a base that is not an `https` or `http` URL of only host, port and path.
    package init(displayName: String, linkBase: URL, texts: MessageTexts = .english) throws(InvalidDeliverySetting) {
        guard (1...64).contains(displayName.unicodeScalars.count), displayName.isOneLine else {
            throw InvalidDeliverySetting("must be a name of 1 to 64 characters on one line")
        }
        guard let parts = URLComponents(url: linkBase, resolvingAgainstBaseURL: true), parts.host?.isEmpty == false,
            parts.scheme == "https" || parts.scheme == "http", parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil
        else {
            throw InvalidDeliverySetting("must be an http or https URL without user, query and fragment")
        }
        self.displayName = displayName
        self.linkBase = linkBase
        self.texts = texts
    }

    /// Returns the URL of one of the app's pages that takes a token. Opening it does not spend the token: mail scanners
    /// follow every link.
    func link(to page: String, token: String) -> String {
        let base = linkBase.absoluteString
        return URLQuery.append(
            [("token", token)], to: "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/\(page)")
    }
}
