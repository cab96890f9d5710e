import OstiaryConfiguration
import OstiaryDelivery

extension MessageTexts {
    init(_ language: MessageLanguage) {
        self =
            switch language {
            case .english: .english
            case .german: .german
            }
    }
}
