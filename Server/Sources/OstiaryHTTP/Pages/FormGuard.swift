import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// Shows that a form was sent from a page of ours, in the browser that the page was made for.
///
/// Three checks, each enough against most forgeries: a token that only our page holds, what the browser says of the page
/// (`Sec-Fetch-Site`), and its origin.
enum FormGuard {
    /// The unseen field of every form.
    static let field = "form_token"

    static func token(for browser: Secret<String>, keys: KeyRing) -> String {
        Base64URL.encode(keys.digest(["form", browser.reveal()], for: .forms, app: nil))
    }

    /// - Parameter browser: The browser that sent the form, by its cookie.
    static func accepts(
        _ request: WireRequest, form: FormValues, browser: Secret<String>?, frame: PageFrame
    ) -> Bool {
        guard let browser, let token = form[field],
            constantTimeEqual(Array(token.utf8), Array(Self.token(for: browser, keys: frame.keys).utf8))
        else { return false }
        return true
    }
}
