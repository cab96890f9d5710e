public import Foundation

extension AuthTexts {
    /// Creates the texts of an app's own string catalogue, in the language in which the app is shown: for languages
    /// that are not built in.
    ///
    /// The keys of the catalogue are the raw values of ``TextKey``; `Examples/Texts/Ostiary.xcstrings` has all of them
    /// in English and German as a template. A missing text is taken from the built-in texts of the language, otherwise
    /// from the English ones.
    ///
    /// - Parameters:
    ///   - name: The name of the `.xcstrings` or `.strings` file, without its extension.
    ///   - bundle: The bundle that contains the catalogue.
    ///   - language: One of the bundle's localizations, for example `pt-BR`; `nil` for the one that the system chose.
    public init(catalogue name: String = "Ostiary", in bundle: Bundle = .main, language: String? = nil) {
        let language = language ?? bundle.preferredLocalizations.first ?? "en"
        let folder = bundle.path(forResource: language, ofType: "lproj").flatMap { Bundle(path: $0) } ?? bundle
        var table: [TextKey: String] = [:]
        for key in TextKey.allCases {
            let text = folder.localizedString(forKey: key.rawValue, value: Self.absent, table: name)
            if text != Self.absent, text != key.rawValue { table[key] = text }
        }
        let built = Self.matching([language])
        let primary = language.split { $0 == "-" || $0 == "_" }.first.map { $0.lowercased() } ?? language
        self.init(language: primary, built.language == primary ? built.replacing(table).table : table)
    }

    /// A marker for a missing text, which does not occur in texts.
    private static let absent = "\u{1}"
}
