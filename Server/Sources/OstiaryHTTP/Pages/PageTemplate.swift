import Mustache
import OstiaryContracts

/// The template that renders every page.
enum PageTemplate {
    static func render(_ view: PageView) -> String {
        switch template {
        case .success(let template): template.render(view)
        case .failure: ""
        }
    }

    /// The compiled template, made once. Its values are escaped by ``HTML``: the library's own escaping works by
    /// Character and does not escape a quote followed by a combining character.
    static let template: Result<MustacheTemplate, any Error> = {
        MustacheContentTypes.register(EscapedScalars(), named: "OSTIARY")
        return Result { try MustacheTemplate(string: "{{% CONTENT_TYPE:OSTIARY}}\n" + text) }
    }()

    private struct EscapedScalars: MustacheContentType {
        func escapeText(_ text: String) -> String { HTML.escape(text) }
    }

    static let text = """
        <!doctype html>
        <html lang="{{language}}">
        <head>
        <meta charset="utf-8">
        <title>{{title}}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <link rel="icon" href="/assets/ostiary.svg" type="image/svg+xml">
        <link rel="stylesheet" href="{{styleSheet}}">
        {{#hasScript}}
        <script src="/assets/ostiary.js" defer></script>
        {{/hasScript}}
        </head>
        <body{{#isWide}} class="wide"{{/isWide}}>
        <header class="brand"><span class="mark" aria-hidden="true">{{initial}}</span><bdi>{{brand}}</bdi></header>
        <main>
        {{#drawing}}
        <svg class="sign {{drawingKind}}" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true"><circle cx="24" cy="24" r="24"/>\
        <path d="{{drawingPath}}" fill="none" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>
        {{/drawing}}
        <h1>{{heading}}</h1>
        {{#lead}}
        <p class="lead">{{before}}<bdi>{{name}}</bdi>{{after}}</p>
        {{/lead}}
        {{#paragraphs}}
        <p>{{.}}</p>
        {{/paragraphs}}
        <div role="alert" class="notice" id="notice">{{#notice}}<h2>{{noticeHeading}}</h2>\
        <p>{{#target}}<a href="#{{.}}">{{noticeText}}</a>{{/target}}{{^target}}{{noticeText}}{{/target}}</p>{{/notice}}</div>
        {{#person}}
        <p class="person">{{#words}}<span>{{before}}<bdi>{{name}}</bdi>{{after}}</span>{{/words}}\
        {{#otherURL}} <a href="{{.}}">{{otherText}}</a>{{/otherURL}}</p>
        {{/person}}
        {{#form}}
        <form method="post" action="{{action}}">
        {{#hidden}}
        <input type="hidden" name="{{hiddenName}}" value="{{hiddenValue}}">
        {{/hidden}}
        {{#fields}}
        <div class="field">
        <div class="label"><label for="{{id}}">{{label}}</label></div>
        {{#complaint}}
        <p class="complaint" id="{{id}}-problem">{{complaint}}</p>
        {{/complaint}}
        <div class="entry"><input id="{{id}}" name="{{id}}" type="{{type}}" value="{{value}}" autocomplete="{{autocomplete}}"\
        {{#inputMode}} inputmode="{{.}}"{{/inputMode}}{{#minimum}} minlength="{{.}}"{{/minimum}}\
        {{#describedBy}} aria-describedby="{{.}}"{{/describedBy}}{{#complaint}} aria-invalid="true"{{/complaint}}\
        {{#reveal}} data-show="{{revealShow}}" data-hide="{{revealHide}}" \
        data-show-name="{{revealShowName}}" data-hide-name="{{revealHideName}}"{{/reveal}}\
        {{#isFocused}} autofocus{{/isFocused}} autocapitalize="none" spellcheck="false" required></div>
        {{#hint}}
        <p class="hint" id="{{id}}-hint"{{#minimum}} data-minimum="{{.}}"{{/minimum}}>{{hint}}</p>
        {{/hint}}
        {{#aside}}
        <p class="aside"><a href="{{asideURL}}">{{asideText}}</a></p>
        {{/aside}}
        </div>
        {{/fields}}
        {{#note}}
        <p class="hint">{{note}}</p>
        {{/note}}
        {{#buttons}}
        <button{{#decision}} name="decision" value="{{.}}"{{/decision}}{{#isQuiet}} class="quiet"{{/isQuiet}}>{{buttonText}}</button>
        {{/buttons}}
        </form>
        {{/form}}
        {{#menu}}
        <ul class="choices">
        {{#choices}}
        <li><a class="choice {{style}}" href="{{choiceURL}}">{{#picture}}<picture>\
        <source srcset="{{dark}}" media="(prefers-color-scheme: dark)">\
        <img src="{{light}}" width="20" height="20" alt=""></picture>{{/picture}}<span>{{choiceText}}</span></a></li>
        {{/choices}}
        </ul>
        {{/menu}}
        {{#messages}}
        <article>
        <h2{{#subjectLanguage}} lang="{{.}}"{{/subjectLanguage}}>{{subject}}</h2>
        <p class="origin"><span>{{origin}}</span> <span>{{#recipient}}{{before}}<bdi>{{name}}</bdi>{{after}}{{/recipient}}</span> \
        <time>{{sentAt}}</time></p>
        {{#code}}
        <p class="code">{{.}}</p>
        {{/code}}
        {{#messageLink}}
        <p><a class="button" href="{{messageURL}}">{{messageLinkText}}</a></p>
        {{/messageLink}}
        <pre{{#messageLanguage}} lang="{{.}}"{{/messageLanguage}}>{{body}}</pre>
        </article>
        {{/messages}}
        {{#home}}
        <h2>Three things to try</h2>
        <ol class="attempts">
        {{#attempts}}
        <li><p>{{attemptText}}{{#target}} <a href="{{entryURL}}">{{entryLabel}}</a>{{/target}}</p>{{#command}}
        <pre class="command">{{.}}</pre>{{/command}}</li>
        {{/attempts}}
        </ol>
        {{#groups}}
        <h2>{{groupHeading}}</h2>
        <ul class="entries">
        {{#entries}}
        <li><a href="{{entryURL}}">{{entryLabel}}</a> <span>{{entryNote}}</span></li>
        {{/entries}}
        </ul>
        {{/groups}}
        <h2>Apps</h2>
        {{#apps}}
        <article>
        <h3>{{appName}}</h3>
        <p class="origin"><span>Contract {{contractName}}</span> <span>Sign-in with {{credentials}}</span></p>
        <p><code>{{appURL}}</code></p>
        <p class="documents">{{#documents}}<a href="{{entryURL}}">{{entryLabel}}</a> {{/documents}}</p>
        <details><summary>Endpoints</summary>
        <ul class="endpoints">
        {{#endpoints}}
        <li><code>{{method}} {{endpointPath}}</code> <span>{{operation}}</span></li>
        {{/endpoints}}
        </ul>
        </details>
        </article>
        {{/apps}}
        {{/home}}
        {{#links}}
        <p class="next">{{#question}}<span>{{.}}</span> {{/question}}\
        <a{{#isMain}} class="button"{{/isMain}} href="{{url}}">{{linkText}}</a></p>
        {{/links}}
        </main>
        {{#development}}
        <footer><span>{{developmentText}}</span> <a href="/dev/inbox">{{inboxText}}</a></footer>
        {{/development}}
        </body>
        </html>

        """
}
