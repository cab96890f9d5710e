/// The list of compromised passwords that new passwords are compared with.
package enum CompromisedPasswordSource: Hashable, Sendable {
    /// A file of `ostiary passwords prepare-list`.
    case file(String)
    /// A range API: the URL to which the first five digits of a hash are appended.
    case url(String)

    /// Reads the section; nil if it is absent.
    static func read(_ section: Section) throws(ConfigurationProblem) -> CompromisedPasswordSource? {
        let compromised = try section.section("compromised")
        let file = try compromised.readableFile("file", "a file of `ostiary passwords prepare-list`")
        let url = try compromised.setting("url")
        try compromised.finish()
        switch (file, url) {
        case (nil, nil): return nil
        case (let file?, nil): return .file(file)
        case (_, let url?):
            guard file == nil else { throw compromised.problem("url", "needs no file beside it") }
            let text = try WebURL(url, allowingPlain: false).text
            guard text.utf8.last == UInt8(ascii: "/") else {
                throw url.problem("needs a URL that begins with https:// and ends with /")
            }
            return .url(text)
        }
    }

    func show(in outline: inout Outline) {
        switch self {
        case .file(let path): outline.add("file", path: path)
        case .url(let text): outline.add("url", text)
        }
    }
}
