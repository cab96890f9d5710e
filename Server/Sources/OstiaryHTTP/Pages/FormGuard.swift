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
        guard let browser, let token = form[field] else { return false }
        let expected = Self.token(for: browser, keys: frame.keys)
        return constantTimeEqual(Array(token.utf8), Array(expected.utf8)) && comesFromUs(request, frame)
    }

    /// Whether the browser says nothing else.
    ///
    /// Our pages send no referrer, and browsers then name the origin of a form as `null`; a page that hides its own does so
    /// too. Those two are told apart by `Sec-Fetch-Site`, and in a browser that lacks it by the token.
    ///
    /// Source: WHATWG Fetch (append a request `Origin` header), W3C Fetch Metadata §2.2.
    private static func comesFromUs(_ request: WireRequest, _ frame: PageFrame) -> Bool {
        let site = request.headers["sec-fetch-site"] ?? ""
        guard ["", "same-origin", "none"].contains(site) else { return false }
        let origin = request.headers["origin"] ?? ""
        if origin.isEmpty || origin.utf8.elementsEqual("null".utf8) { return true }
        // The Host header is the word of whoever asks: it counts only where nobody said what we are called.
        let own = frame.origin ?? "\(frame.isSecure ? "https" : "http")://\(request.headers["host"] ?? "")".lowercased()
        return origin.utf8.elementsEqual(own.utf8)
    }
}
