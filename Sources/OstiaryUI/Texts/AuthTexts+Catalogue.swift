public import Foundation

extension AuthTexts {
    /// The texts of an app's own string catalogue, in the language in which the app is shown: for languages that are not built in.
    ///
    /// Its keys are the raw values of ``TextKey``; `Examples/Texts/Ostiary.xcstrings` has them all, in English and German, to
    /// begin with. What the catalogue lacks is said in the built-in words of its language, else in English.
    ///
    /// - Parameters:
    ///   - name: Of the `.xcstrings` or `.strings` file, without its ending.
    ///   - bundle: Where it is.
    ///   - language: One of the bundle's localizations, for example `pt-BR`; nil for the one that the system chose.
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

    /// No text that anybody would write.
    private static let absent = "\u{1}"
}
