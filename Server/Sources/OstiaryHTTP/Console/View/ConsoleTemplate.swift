import Mustache

/// The template that renders every page of the console. Its values are escaped as those of ``PageTemplate``.
enum ConsoleTemplate {
    static func render(_ view: ConsoleView) -> String {
        switch template {
        case .success(let template): template.render(TemplateValue(view))
        case .failure: ""
        }
    }

    static let template: Result<MustacheTemplate, any Error> = PageTemplate.compile(text)

    static let text = """
        <!doctype html>
        <html lang="{{language}}">
        <head>
        <meta charset="utf-8">
        <title>{{title}}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        {{#forward}}<meta http-equiv="refresh" content="0;url={{forwardURL}}">{{/forward}}
        {{#words}}
        <link rel="icon" href="{{iconPath}}" type="image/svg+xml">
        <link rel="stylesheet" href="{{stylesheetPath}}">
        <script src="{{scriptPath}}" defer></script>
        {{/words}}
        </head>
        <body{{^frame}} class="alone"{{/frame}}>
        {{#frame}}
        <a class="skip" href="#content">{{#words}}{{skipToContent}}{{/words}}</a>
        {{/frame}}
        <header>
        <span class="brand"><span class="mark" aria-hidden="true">{{initial}}</span><bdi>{{brand}}</bdi></span>
        {{#frame}}
        <button type="button" class="menu" popovertarget="navigation">{{#words}}{{menu}}{{/words}}</button>
        {{/frame}}
        </header>
        {{#frame}}
        <nav id="navigation" popover aria-label="{{#words}}{{sections}}{{/words}}">
        <ul>
        {{#navigation}}
        <li><a href="{{destinationURL}}"{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{destinationText}}</a></li>
        {{/navigation}}
        </ul>
        <div class="who"><p><bdi>{{signedInAs}}</bdi></p>
        <p><a href="{{accountURL}}">{{#words}}{{account}}{{/words}}</a></p>
        <form method="post" action="{{signOutURL}}"><input type="hidden" name="form_token" value="{{signOutToken}}">\
        <button class="quiet">{{#words}}{{signOut}}{{/words}}</button></form></div>
        </nav>
        {{/frame}}
        <main id="content" tabindex="-1">
        {{#trail}}
        <nav class="trail" aria-label="{{#words}}{{breadcrumb}}{{/words}}"><ol>\
        {{#crumbs}}<li><a href="{{crumbURL}}"><bdi>{{crumbText}}</bdi></a></li>{{/crumbs}}</ol></nav>
        {{/trail}}
        <h1><bdi>{{heading}}</bdi></h1>
        {{#subject}}
        <p class="subject">{{#subjectLead}}{{before}}<bdi>{{name}}</bdi>{{after}}{{/subjectLead}}\
        {{#subjectBadges}} <span class="badge {{badgeKind}}">{{badgeText}}</span>{{/subjectBadges}}</p>
        {{/subject}}
        {{#notice}}
        <p class="notice{{#isProblem}} problem{{/isProblem}}" role="{{#isProblem}}alert{{/isProblem}}{{^isProblem}}status{{/isProblem}}">{{noticeText}}</p>
        {{/notice}}
        {{#blocks}}
        <section id="{{blockID}}"{{#.isNarrow}} class="narrow"{{/.isNarrow}}{{#.blockHeading}} aria-labelledby="{{blockID}}-heading"{{/.blockHeading}}>
        {{#.blockHeading}}<h2 id="{{blockID}}-heading">{{.}}</h2>{{/.blockHeading}}
        {{#.blockNote}}<p class="note">{{.}}</p>{{/.blockNote}}
        \(filter)
        {{#.tiles}}
        <dl class="tiles">{{#figures}}<div><dt>{{figureLabel}}</dt><dd>{{figureValue}}{{#.figureNote}} <span>{{.}}</span>{{/.figureNote}}</dd></div>{{/figures}}</dl>
        {{/.tiles}}
        \(chart)
        \(table)
        {{#.empty}}<p class="empty">{{.}}</p>{{/.empty}}
        {{#.facts}}
        <dl class="facts">
        {{#entries}}
        <div><dt>{{factName}}</dt><dd>{{#factValue}}\(cell){{/factValue}}</dd></div>
        {{/entries}}
        </dl>
        {{/.facts}}
        {{#.source}}<pre tabindex="0" role="region" aria-label="{{sourceName}}"><code>{{sourceText}}</code></pre>{{/.source}}
        \(form)
        {{#.pager}}
        <nav class="pager" aria-label="{{#words}}{{pages}}{{/words}}">\
        {{#.firstPage}}<a class="button quiet" href="{{pageURL}}">{{pageText}}</a>{{/.firstPage}} \
        {{#.nextPage}}<a class="button quiet" href="{{pageURL}}" rel="next">{{pageText}}</a>{{/.nextPage}}</nav>
        {{/.pager}}
        {{#.actions}}
        <p class="actions">{{#actionLinks}}<a class="button{{#.isDangerous}} danger{{/.isDangerous}}{{^.isPrimary}} quiet{{/.isPrimary}}" href="{{actionURL}}"\
        {{#.actionName}} aria-label="{{.}}"{{/.actionName}}>{{actionText}}</a> {{/actionLinks}}</p>
        {{/.actions}}
        </section>
        {{/blocks}}
        {{#forward}}<p><a class="button" href="{{forwardURL}}">{{forwardText}}</a></p>{{/forward}}
        </main>
        {{#development}}<footer><span>{{developmentText}}</span></footer>{{/development}}
        </body>
        </html>

        """

    /// A value of a table or a fact.
    private static let cell = """
        {{#.cellLink}}<a href="{{linkURL}}"><bdi>{{linkText}}</bdi></a>{{/.cellLink}}{{#.cellText}}<bdi>{{.}}</bdi>{{/.cellText}}\
        {{#.cellCode}}<code>{{.}}</code>{{/.cellCode}}\
        {{#.cellTime}}<time datetime="{{machineTime}}">{{humanTime}}</time>{{/.cellTime}}\
        {{#.cellBadges}} <span class="badge {{badgeKind}}">{{badgeText}}</span>{{/.cellBadges}}\
        {{#.cellBar}}<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">\
        <rect class="whole" width="100" height="8"/><rect class="part" width="{{barWidth}}" height="8"/></svg>{{/.cellBar}}\
        {{#.cellNote}} <span class="note">{{.}}</span>{{/.cellNote}}\
        {{#.cellActions}}<span class="links">{{#links}}<a href="{{actionURL}}"{{#.isDangerous}} class="danger"{{/.isDangerous}}\
        {{#.actionName}} aria-label="{{.}}"{{/.actionName}}>{{actionText}}</a> {{/links}}</span>{{/.cellActions}}
        """

    /// With explicit roles: a narrow screen shows rows as cards, which would otherwise take the table's meaning away.
    private static let table = """
        {{#.table}}
        <table role="table">
        <caption>{{tableCaption}}</caption>
        <thead role="rowgroup"><tr role="row">{{#columns}}<th role="columnheader" scope="col"{{#.isNumeric}} class="number"{{/.isNumeric}}>{{columnTitle}}</th>{{/columns}}</tr></thead>
        <tbody role="rowgroup">
        {{#rows}}
        <tr role="row">{{#cells}}{{#.isRowHeader}}<th role="rowheader" scope="row" data-label="{{cellLabel}}"><div>\(cell)</div></th>{{/.isRowHeader}}\
        {{^.isRowHeader}}<td role="cell" data-label="{{cellLabel}}"{{#.isNumber}} class="number"{{/.isNumber}}{{#.isWide}} class="wide"{{/.isWide}}><div>\(cell)</div></td>{{/.isRowHeader}}{{/cells}}</tr>
        {{/rows}}
        </tbody>
        </table>
        {{/.table}}
        """

    private static let chart = """
        {{#.chart}}
        <figure class="chart">
        <ul class="legend">{{#legend}}<li class="series-{{entrySeries}}">{{entryText}}</li>{{/legend}}</ul>
        <div class="plot"><span class="top" aria-hidden="true">{{chartTop}}</span>
        <svg viewBox="0 0 {{chartWidth}} 100" preserveAspectRatio="none" role="img" aria-label="{{chartLabel}}">\
        <path class="grid" d="M0 .5H{{chartWidth}}M0 50H{{chartWidth}}M0 99.5H{{chartWidth}}"/>\
        {{#chartBars}}<rect class="series-{{barSeries}}" x="{{barX}}" y="{{barY}}" width="\(ConsoleView.Chart.barWidth)" height="{{barHeight}}"/>{{/chartBars}}</svg>
        <p class="ends" aria-hidden="true"><span>{{chartStart}}</span> <span>{{chartEnd}}</span></p></div>
        <details><summary>{{#words}}{{chartAsTable}}{{/words}}</summary>
        {{#chartTable}}
        <div class="scroll" tabindex="0" role="region" aria-label="{{chartLabel}}"><table class="plain"><caption>{{chartLabel}}</caption>
        <thead><tr>{{#chartColumns}}<th scope="col">{{.}}</th>{{/chartColumns}}</tr></thead>
        <tbody>
        {{#chartRows}}
        <tr><th scope="row">{{rowTitle}}</th>{{#rowValues}}<td class="number">{{.}}</td>{{/rowValues}}</tr>
        {{/chartRows}}
        </tbody></table></div>
        {{/chartTable}}
        </details>
        </figure>
        {{/.chart}}
        """

    private static let filter = """
        {{#.filter}}
        <form class="filter" method="get" action="{{filterAction}}" role="search">
        {{#filterHidden}}<input type="hidden" name="{{hiddenName}}" value="{{hiddenValue}}">{{/filterHidden}}
        {{#filterFields}}
        \(field)
        {{/filterFields}}
        <p class="buttons"><button>{{filterButton}}</button>{{#.resetURL}} <a class="button quiet" href="{{.}}">{{resetText}}</a>{{/.resetURL}}</p>
        </form>
        {{/.filter}}
        """

    private static let form = """
        {{#.form}}
        <form method="post" action="{{formAction}}">
        {{#formHidden}}<input type="hidden" name="{{hiddenName}}" value="{{hiddenValue}}">{{/formHidden}}
        {{#formFields}}
        \(field)
        {{/formFields}}
        <p class="buttons"><button{{#.isDangerousForm}} class="danger"{{/.isDangerousForm}}>{{formButton}}</button>\
        {{#.cancelURL}} <a class="button quiet" href="{{.}}">{{cancelText}}</a>{{/.cancelURL}}</p>
        </form>
        {{/.form}}
        """

    /// Fields that belong together are a group of their own.
    private static let field = """
        {{#.group}}
        <fieldset{{#describedBy}} aria-describedby="{{.}}"{{/describedBy}}><legend>{{fieldLabel}}</legend>
        {{#fieldHint}}<p class="hint" id="{{fieldName}}-hint">{{.}}</p>{{/fieldHint}}
        {{#fieldProblem}}<p class="complaint" id="{{fieldName}}-problem">{{.}}</p>{{/fieldProblem}}
        {{#groupChecks}}
        <div class="field check"><input id="{{checkName}}" name="{{checkName}}" type="checkbox" value="on" autocomplete="off"{{#.isOn}} checked{{/.isOn}}>
        <label for="{{checkName}}">{{checkText}}</label></div>
        {{/groupChecks}}
        </fieldset>
        {{/.group}}
        {{^.group}}
        <div class="field{{#.check}} check{{/.check}}">
        {{#.check}}<input id="{{fieldName}}" name="{{fieldName}}" type="checkbox" value="on" autocomplete="off"{{#.isChecked}} checked{{/.isChecked}}\
        {{#describedBy}} aria-describedby="{{.}}"{{/describedBy}}>{{/.check}}
        <label for="{{fieldName}}">{{fieldLabel}}</label>
        {{#.fieldProblem}}<p class="complaint" id="{{fieldName}}-problem">{{.}}</p>{{/.fieldProblem}}
        {{#.input}}<input id="{{fieldName}}" name="{{fieldName}}" type="{{inputType}}" value="{{inputValue}}" autocomplete="off" autocapitalize="none" spellcheck="false"\
        {{#.inputMode}} inputmode="{{.}}"{{/.inputMode}}{{#.isRequired}} required{{/.isRequired}}\
        {{#describedBy}} aria-describedby="{{.}}"{{/describedBy}}{{#fieldProblem}} aria-invalid="true"{{/fieldProblem}}>{{/.input}}
        {{#.choice}}<select id="{{fieldName}}" name="{{fieldName}}" autocomplete="off"{{#describedBy}} aria-describedby="{{.}}"{{/describedBy}}\
        {{#fieldProblem}} aria-invalid="true"{{/fieldProblem}}>\
        {{#options}}<option value="{{optionValue}}"{{#.isSelected}} selected{{/.isSelected}}>{{optionText}}</option>{{/options}}</select>{{/.choice}}
        {{#.area}}<textarea id="{{fieldName}}" name="{{fieldName}}" rows="{{areaRows}}" autocomplete="off" autocapitalize="none" spellcheck="false"\
        {{#describedBy}} aria-describedby="{{.}}"{{/describedBy}}{{#fieldProblem}} aria-invalid="true"{{/fieldProblem}}>{{areaValue}}</textarea>{{/.area}}
        {{#.fieldHint}}<p class="hint" id="{{fieldName}}-hint">{{.}}</p>{{/.fieldHint}}
        </div>
        {{/.group}}
        """
}
