/// The language of an app's mails and text messages.
package enum MessageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
}
