import Mustache
import OstiaryContracts

/// The template that renders every page.
enum PageTemplate {
    static func render(_ view: PageView) -> String {
        switch template {
        case .success(let template): template.render(TemplateValue(view))
        case .failure: ""
        }
    }

    /// The compiled template, made once. The library's own escaping works by Character and does not escape a quote
    /// followed by a combining character.
    static let template: Result<MustacheTemplate, any Error> = compile(text)

    /// Returns a template whose values are escaped by ``HTML``.
    static func compile(_ text: String) -> Result<MustacheTemplate, any Error> {
        MustacheContentTypes.register(EscapedScalars(), named: "OSTIARY")
        return Result { try MustacheTemplate(string: "{{% CONTENT_TYPE:OSTIARY}}\n" + text) }
    }

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
        {{#passkey}}{{#passkeyForm}}
        <script src="{{passkeyScript}}" defer></script>
        {{/passkeyForm}}{{/passkey}}
        {{#form}}{{#work}}
        <script src="{{workScript}}" defer></script>
        {{/work}}{{/form}}
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
        {{#figure}}
        <figure>
        {{#picture}}
        <svg class="qr" viewBox="0 0 {{qrSize}} {{qrSize}}" role="img" aria-label="{{qrLabel}}" shape-rendering="crispEdges">\
        <rect width="{{qrSize}}" height="{{qrSize}}" fill="#fff"/><path d="{{qrPath}}" fill="#000"/></svg>
        {{/picture}}
        <figcaption><p>{{keyLabel}}</p><p class="key"><code>{{key}}</code></p>\
        <p><a href="{{keyURL}}">{{keyLinkText}}</a></p><p>{{afterKey}}</p></figcaption>
        </figure>
        {{/figure}}
        {{#codes}}
        <ol class="codes" id="codes">
        {{#recoveryCodes}}
        <li><code>{{.}}</code></li>
        {{/recoveryCodes}}
        </ol>
        <p class="tools"><button type="button" class="quiet" data-copy="codes" data-done="{{copiedText}}" hidden>{{copyText}}</button> \
        <button type="button" class="quiet" data-print hidden>{{printText}}</button></p>
        {{/codes}}
        {{#form}}
        <form method="post" action="{{action}}"{{#work}} data-work="{{workChallenge}}" data-bits="{{workBits}}"{{/work}}>
        {{#work}}
        <input type="hidden" name="{{workField}}" value="">
        {{/work}}
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
        {{#check}}
        <div class="check"><input type="checkbox" id="{{checkName}}" name="{{checkName}}" value="on" autocomplete="off"\
        {{#isChecked}} checked{{/isChecked}}> <label for="{{checkName}}">{{checkLabel}}</label></div>
        {{/check}}
        {{#note}}
        <p class="hint">{{note}}</p>
        {{/note}}
        {{#buttons}}
        <button{{#decision}} name="decision" value="{{.}}"{{/decision}}{{#isQuiet}} class="quiet"{{/isQuiet}}>{{buttonText}}</button>
        {{/buttons}}
        </form>
        {{/form}}
        {{#passkey}}
        {{#passkeyUnavailable}}
        <p class="hint passkey">{{.}}</p>
        {{/passkeyUnavailable}}
        {{#passkeyForm}}
        <form class="passkey{{#isDivided}} divided{{/isDivided}}" method="post" action="{{passkeyAction}}" data-passkey="{{ceremony}}" \
        data-options="{{optionsURL}}"{{#offersAutofill}} data-autofill{{/offersAutofill}} data-unsupported="{{unsupported}}" \
        data-cancelled="{{cancelled}}" data-failed="{{failed}}" data-exists="{{exists}}">
        {{#passkeyHidden}}
        <input type="hidden" name="{{hiddenName}}" value="{{hiddenValue}}">
        {{/passkeyHidden}}
        <input type="hidden" name="passkey_token" value="">
        <input type="hidden" name="credential" value="">
        {{#passkeyName}}
        <div class="field">
        <div class="label"><label for="name">{{nameLabel}}</label></div>
        {{#nameComplaint}}
        <p class="complaint" id="name-problem">{{.}}</p>
        {{/nameComplaint}}
        <div class="entry"><input id="name" name="name" type="text" value="{{nameValue}}" autocomplete="off"\
        {{#nameComplaint}} aria-describedby="name-problem" aria-invalid="true"{{/nameComplaint}} required></div>
        </div>
        {{/passkeyName}}
        {{#check}}
        <div class="check"><input type="checkbox" id="{{checkName}}" name="{{checkName}}" value="on" autocomplete="off"\
        {{#isChecked}} checked{{/isChecked}}> <label for="{{checkName}}">{{checkLabel}}</label></div>
        {{/check}}
        <p class="hint without-script">{{needsScript}}</p>
        <button type="button"{{#isDivided}} class="quiet"{{/isDivided}} hidden>{{passkeyButton}}</button>
        <p class="complaint" role="status"></p>
        </form>
        {{/passkeyForm}}
        {{/passkey}}
        {{#sections}}
        <section>
        <h2>{{sectionHeading}}</h2>
        {{#sectionNote}}
        <p class="hint">{{.}}</p>
        {{/sectionNote}}
        {{#list}}
        <ul class="rows">
        {{#rows}}
        <li><div><p class="title"><bdi>{{rowTitle}}</bdi>{{#badge}} <span class="badge">{{.}}</span>{{/badge}}</p>\
        {{#rowNotes}}<p class="hint">{{noteBefore}}{{#noteTime}}<time datetime="{{machineTime}}">{{humanTime}}</time>{{/noteTime}}</p>{{/rowNotes}}</div>\
        {{#rowLink}}<a class="button quiet" href="{{rowURL}}" aria-label="{{rowLinkName}}">{{rowLinkText}}</a>{{/rowLink}}\
        {{#rowForm}}<form method="post" action="{{rowAction}}">{{#rowHidden}}\
        <input type="hidden" name="{{hiddenName}}" value="{{hiddenValue}}">{{/rowHidden}}\
        <button class="quiet" aria-label="{{rowButtonName}}">{{rowButtonText}}</button></form>{{/rowForm}}</li>
        {{/rows}}
        </ul>
        {{/list}}
        {{#actions}}
        <p class="actions">{{#sectionLinks}}<a class="button quiet" href="{{sectionURL}}">{{sectionLinkText}}</a> {{/sectionLinks}}</p>
        {{/actions}}
        </section>
        {{/sections}}
        {{#choice}}
        <form class="ways" method="post" action="{{choiceAction}}">
        {{#choiceHidden}}
        <input type="hidden" name="{{hiddenName}}" value="{{hiddenValue}}">
        {{/choiceHidden}}
        {{#choiceHeading}}
        <h2>{{.}}</h2>
        {{/choiceHeading}}
        {{#choiceNote}}
        <p>{{.}}</p>
        {{/choiceNote}}
        {{#choiceButtons}}
        <button class="{{choiceStyle}}" name="{{choiceName}}" value="{{choiceValue}}">{{choiceText}}</button>
        {{/choiceButtons}}
        </form>
        {{/choice}}
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
