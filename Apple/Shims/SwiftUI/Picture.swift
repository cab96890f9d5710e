// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap

/// A rendering of the screen for a reviewer, similar to the system's. It proves nothing: a test compares the text.
extension ShimHost {
    /// - Parameter stylesheet: The path of the file with ``stylesheet``.
    public func html(title: String = "Screen", stylesheet: String = "screens.css") -> String {
        let nodes = nodes, env = environment
        let rtl = env.layoutDirection == .rightToLeft, dark = env.colorScheme == .dark
        let size = 17 * (1 + 0.15 * Double(env.dynamicTypeSize.rawValue - DynamicTypeSize.large.rawValue))
        #if canImport(UIKit)
        let platform = "ios"
        #else
        let platform = "macos"
        #endif
        return """
            <!doctype html>
            <html lang="\(env.locale.identifier.prefix(2))" dir="\(rtl ? "rtl" : "ltr")">
            <meta charset="utf-8"><title>\(escape(title))</title>
            <link rel="stylesheet" href="\(stylesheet)">
            <main class="\(platform) \(dark ? "dark" : "light")" style="font-size:\(Int(size))px">
            \(nodes.map(draw).joined(separator: "\n"))
            </main>

            """
    }

    private func escape(_ s: String) -> String {
        s.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    private func css(_ n: ShimNode) -> String {
        var css: [String] = []
        func colour(_ name: String) -> String {
            name.hasPrefix("rgb") || ["black", "white"].contains(name) ? name : "var(--\(name))"
        }
        if let c = n.looks["colour"] { css.append("color:\(colour(c))") }
        if let b = n.looks["background"] { css.append("background:\(colour(b))") }
        if let b = n.looks["border"] { css.append("border:1px solid \(colour(b))") }
        if let r = n.looks["radius"] { css.append("border-radius:\(r)px") }
        if let t = n.looks["tint"] { css.append("--tint:\(colour(t))") }
        if let w = n.looks["weight"] { css.append("font-weight:\(["medium": "500", "semibold": "600"][w] ?? w)") }
        if let f = n.looks["family"] { css.append("font-family:\(f)") }
        if let h = n.looks["height"] { css.append("min-height:\(h)px") }
        if let p = n.looks["padding"] { css.append("padding:\(p)px") }
        if let a = n.looks["align"] { css.append("text-align:\(a)") }
        if let g = n.looks["gap"] { css.append("display:flex;flex-direction:column;gap:\(g)px") }
        return css.isEmpty ? "" : " style=\"\(css.joined(separator: ";"))\""
    }

    private func draw(_ n: ShimNode) -> String {
        let inner = n.children.map(draw).joined(), off = n.enabled ? "" : " disabled"
        let font = n.looks["font"].map { " f-\($0.split(separator: " ")[0])" } ?? ""
        switch n.kind {
        case "Text": return "<p class=\"t\(font)\"\(css(n))>\(escape(n.label))</p>"
        case "Label": return "<div class=\"label\(font)\"\(css(n))>\(inner)</div>"
        case "Image":
            let name = n.attributes["systemName"] ?? n.attributes["name"] ?? ""
            return "<span class=\"image\" title=\"\(escape(name))\"\(css(n))>\(Self.signs[name] ?? "▣")</span>"
        case "QRCode":
            let text = escape(n.attributes["payload"] ?? "")
            return "<div class=\"qr\" role=\"img\" aria-label=\"\(escape(n.label))\" data-text=\"\(text)\">QR</div>"
        case "ShareLink": return "<button class=\"row\"\(off)>\(escape(n.label))</button>"
        case "NavigationTitle": return "<h1 class=\"\(n.looks["mode"] ?? "")\">\(escape(n.label))</h1>"
        case "TextField", "SecureField":
            let type = n.kind == "TextField" ? "text" : "password", focused = n.attributes["focused"] == "true"
            let visible = n.looks["labels"] == "hidden" ? "" : "<span>\(escape(n.label))</span>"
            return "<label class=\"field\(focused ? " focused" : "")\">\(visible)<input type=\"\(type)\" "
                + "aria-label=\"\(escape(n.label))\" value=\"\(escape(n.value ?? ""))\" "
                + "placeholder=\"\(escape(n.attributes["prompt"] ?? ""))\"\(off)></label>"
        case "Button", "NavigationLink", "Link":
            if n.attributes["system"] != nil { return "<button class=\"back\">‹ \(escape(n.label))</button>" }
            let role = n.attributes["role"].map { " \($0)" } ?? ""
            if let lines = n.looks["lines"] {
                let parts = lines.split(separator: "\n").map { "<span>\(escape(String($0)))</span>" }.joined()
                return "<button class=\"row lines\"\(css(n))\(off)>\(parts)</button>"
            }
            return "<button class=\"\(n.looks["style"] ?? "row")\(role)\"\(css(n))\(off)>\(inner)"
                + "<span>\(escape(n.label))</span></button>"
        case "Picker":
            return "<label class=\"toggle\"><span>\(escape(n.label))</span>"
                + "<span>\(escape(n.value ?? ""))</span></label>"
        case "Toggle":
            return "<label class=\"toggle\"><span>\(escape(n.label))</span>"
                + "<input type=\"checkbox\"\(n.value == "true" ? " checked" : "")\(off)></label>"
        case "ProgressView":
            guard let value = n.value else {
                return "<div class=\"wait\"><i class=\"spin\"></i>\(escape(n.label))</div>"
            }
            let parts = value.split(separator: " ").compactMap { Double($0) }
            let share = parts.count == 2 ? Int(100 * parts[0] / parts[1]) : 0
            return "<div class=\"gauge\"\(css(n))><p class=\"t f-footnote\">\(escape(n.label))</p>"
                + "<b><i style=\"width:\(share)%\"></i></b></div>"
        case "Section":
            let rows = n.children.filter { $0.looks["part"] == nil }
            let footer = n.children.filter { $0.looks["part"] == "footer" }
            return "<section>" + (n.label.isEmpty ? "" : "<h2>\(escape(n.label))</h2>") + "<div class=\"card\">"
                + rows.map { "<div class=\"cell\($0.looks["row"].map { " \($0)" } ?? "")\">\(draw($0))</div>" }.joined()
                + "</div>" + (footer.isEmpty ? "" : "<footer>\(footer.map(draw).joined())</footer>") + "</section>"
        case "Shape":
            guard let path = n.looks["path"], !path.isEmpty else { return "" }
            return "<svg class=\"shape\" viewBox=\"0 0 48 48\"><path fill=\"\(n.looks["fill"] ?? "currentColor")\" "
                + "d=\"\(path)\"/></svg>"
        case "Alert": return "<dialog open><b>\(escape(n.label))</b>\(inner)</dialog>"
        default: return "<div class=\"\(n.kind)\"\(css(n))>\(inner)</div>"
        }
    }

    private static let signs = [
        "exclamationmark.circle.fill": "!", "info.circle": "i", "envelope.badge": "@", "message": "…",
        "checkmark.circle": "✓", "apple.logo": "A", "lock.fill": "◆", "eye": "◉", "eye.slash": "◌", "faceid": "☺",
        "trash": "✕",
    ]

    public static let stylesheet = """
        *{box-sizing:border-box;margin:0}body{background:#888;padding:24px;display:flex;justify-content:center}
        main{--accent:#007aff;--tint:var(--accent);--page:#f2f2f7;--card:#fff;--line:#c6c6c8;--primary:#000;--secondary:#6c6c70;
        --tertiary:#b0b0b5;--red:#d70015;--orange:#c93400;--green:#248a3d;--blue:#007aff;--off:#e3e3e8;
        font-family:-apple-system,Inter,"Noto Sans","DejaVu Sans",sans-serif;color:var(--primary);background:var(--page);
        width:393px;min-height:780px;border-radius:44px;padding:56px 0 32px;position:relative;overflow:hidden;line-height:1.3}
        main.dark{--accent:#0a84ff;--page:#000;--card:#1c1c1e;--line:#38383a;--primary:#fff;--secondary:#aeaeb2;--tertiary:#636366;
        --red:#ff6961;--orange:#ffb340;--green:#30db5b;--blue:#0a84ff;--off:#2c2c2e}
        main.macos{width:520px;min-height:480px;border-radius:12px;padding-top:40px}
        h1{font-size:2em;padding:0 20px 8px}h1.inline{font-size:1em;text-align:center;padding:0 60px}
        .back:has(+h1.inline){position:absolute;top:56px;inset-inline-start:0}.back{background:none;border:0;color:var(--accent);font:inherit;padding:0 16px 8px}
        section{margin:18px 16px 0}h2{font-size:.78em;font-weight:400;color:var(--secondary);padding:0 16px 6px}
        footer{padding:6px 16px 0}footer .t{font-size:.78em;color:var(--secondary)}
        .card{background:var(--card);border-radius:12px;overflow:hidden}.cell{padding:11px 16px;position:relative}
        .cell+.cell:not(.clear)::before{content:"";position:absolute;top:0;inset-inline:16px 0;border-top:1px solid var(--line)}
        .cell.clear{background:var(--page);padding:5px 0}.card:has(>.clear:only-child){background:none}
        .VStack{display:flex;flex-direction:column;gap:5px}.HStack{display:flex;gap:8px;align-items:center}
        .f-footnote{font-size:.78em}.f-callout{font-size:.94em}.f-caption{font-size:.7em}.f-headline{font-weight:600}
        .f-title{font-size:1.6em}.f-title2{font-size:1.3em}
        .label{display:flex;gap:8px;align-items:baseline}.label .t{font-size:1em}.image{flex:none;font-size:.8em;
        width:1.5em;height:1.5em;line-height:1.4em;text-align:center;border:1px solid;border-radius:50%;font-weight:600}
        .field input{width:100%;border:0;outline:0;background:none;font:inherit;color:inherit;padding:2px 0}
        .field input::placeholder{color:var(--tertiary);opacity:1}.field.focused input{caret-color:var(--accent);
        box-shadow:0 2px 0 -0.5px var(--accent)}.field input:disabled{color:var(--secondary)}
        .macos .field input{border:1px solid var(--line);border-radius:6px;padding:4px 8px}
        .toggle{display:flex;justify-content:space-between;align-items:center}
        .toggle input{appearance:none;width:51px;height:31px;border-radius:16px;background:var(--off);position:relative;flex:none}
        .toggle input::after{content:"";position:absolute;width:27px;height:27px;border-radius:50%;background:#fff;top:2px;
        inset-inline-start:2px;box-shadow:0 1px 3px #0004}.toggle input:checked{background:#34c759}
        .toggle input:checked::after{inset-inline-start:22px}
        button{font:inherit;color:var(--tint);background:none;border:0;text-align:start;padding:0}
        button.prominent,button.plain,button.bordered{width:100%;min-height:50px;text-align:center;display:flex;gap:10px;
        align-items:center;justify-content:center;border-radius:12px;padding:8px 14px}
        button.prominent{background:var(--tint);color:#fff}button.prominent.destructive{background:var(--red)}
        button.bordered{background:var(--off)}button.destructive:not(.prominent){color:var(--red)}
        button.prominent:disabled{background:var(--off);color:var(--secondary)}button.plain:disabled{opacity:.5}
        button.row:disabled,button.borderless:disabled{color:var(--tertiary)}button .t{display:inline}
        .gauge b{display:block;height:5px;border-radius:3px;background:var(--off);overflow:hidden;margin-top:4px}
        .gauge i{display:block;height:100%;background:var(--tint)}.wait{display:flex;gap:8px;align-items:center}
        main>.wait,main>.ProgressView{justify-content:center;padding-top:300px}
        .spin{width:1em;height:1em;border-radius:50%;border:2px solid var(--secondary);border-top-color:transparent;display:inline-block}
        .ZStack{display:grid}.ZStack>*{grid-area:1/1}.shape{width:20px;height:20px}.HStack>.field{flex:1}
        .lines span{display:block;font-size:.78em;color:var(--secondary)}.lines span:first-child{font-size:1em;color:var(--tint)}
        .qr{width:240px;height:240px;margin:auto;background:#fff;color:#888;display:grid;place-items:center;border:1px dashed}
        dialog{position:absolute;top:260px;inset-inline:0;margin:auto;width:280px;border:0;border-radius:16px;padding:18px;
        background:var(--card);color:inherit;display:flex;flex-direction:column;gap:12px;box-shadow:0 0 0 2000px #0006}

        """
}
