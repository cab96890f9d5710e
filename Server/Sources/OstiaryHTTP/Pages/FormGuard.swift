import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// Checks that a form was sent from this server's page, in the browser that the page was made for (protection against
/// cross-site request forgery).
///
/// Three checks, each sufficient against most forgeries: a token that only the page holds, the browser's statement
/// about the sending page (`Sec-Fetch-Site`), and its origin.
enum FormGuard {
    /// The hidden field of every form.
    static let field = "form_token"

    static func token(for browser: Secret<String>, keys: KeyRing) -> String {
        Base64URL.encode(keys.digest(["form", browser.reveal()], for: .forms, app: nil))
    }

    /// - Parameter browser: The browser that sent the form, identified by its cookie.
    static func accepts(
        _ request: WireRequest, form: FormValues, browser: Secret<String>?, frame: Branding
    ) -> Bool {
        guard let browser, let token = form[field] else { return false }
        let expected = Self.token(for: browser, keys: frame.keys)
        return constantTimeEqual(Array(token.utf8), Array(expected.utf8)) && isFromOwnPage(request, frame)
    }

    /// Returns `true` unless the browser's headers name another origin.
    ///
    /// This server's pages send no referrer, and browsers then send `null` as the origin of a form; so does a page that
    /// hides its own. `Sec-Fetch-Site` distinguishes the two, and in a browser that lacks it the token does.
    ///
    /// Source: WHATWG Fetch (append a request `Origin` header), W3C Fetch Metadata §2.2.
    private static func isFromOwnPage(_ request: WireRequest, _ frame: Branding) -> Bool {
        let fetchSite = request.headers["sec-fetch-site"] ?? ""
        guard ["", "same-origin", "none"].contains(fetchSite) else { return false }
        let origin = request.headers["origin"] ?? ""
        if origin.isEmpty || origin.utf8.elementsEqual("null".utf8) { return true }
        return origin.utf8.elementsEqual(frame.origin(of: request).utf8)
    }
}
