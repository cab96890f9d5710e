import OstiaryContracts

/// The selection of the console's language, by the rules of ``PageLanguage``.
enum ConsoleLanguage {
    static let all: [any ConsoleTexts] = [EnglishConsoleTexts(), GermanConsoleTexts()]

    static func texts(for request: WireRequest) -> any ConsoleTexts {
        let language = PageLanguage.texts(for: request).language
        return all.first { $0.language == language } ?? all[0]
    }
}
