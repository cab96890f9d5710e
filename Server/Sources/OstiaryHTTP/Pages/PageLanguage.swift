import OstiaryContracts

/// The selection of a page's language.
enum PageLanguage {
    /// The supported languages; the first is the default where a request accepts none of them.
    static let all: [any PageTexts] = [EnglishTexts(), GermanTexts()]

    /// Selects by `ui_locales` of the query (space-separated, the best first), else by `Accept-Language`.
    ///
    /// Source: OpenID Connect Core §3.1.2.1; RFC 9110 §12.5.4; RFC 4647 §3.4 (lookup).
    static func texts(for request: WireRequest) -> any PageTexts {
        let asked = FormValues(request.query)["ui_locales"]?.utf8.prefix(200) ?? "".utf8.prefix(0)
        for tag in asked.split(separator: UInt8(ascii: " ")) {
            if let texts = texts(in: String(decoding: Array(tag), as: UTF8.self).lowercased()) { return texts }
        }
        for (tag, _) in QualityList(request.headers["accept-language"]).wanted {
            if let texts = texts(in: tag) { return texts }
        }
        return all[0]
    }

    /// - Parameter tag: In lower case; `de-at` is served by `de`.
    private static func texts(in tag: String) -> (any PageTexts)? {
        all.first { texts in tag == texts.language || tag.hasPrefix("\(texts.language)-") }
    }
}
