/// The style sheet of the console: the colours of all pages, and a layout for lists.
enum ConsoleStyleSheet {
    static var text: String {
        """
        \(StyleSheet.palette(.ours))
        \(sheet)
        """
    }

    private static let sheet = """
        :root { --good: #1a7440; --good-ground: #e6f4ec; --waiting: #7a5300; --waiting-ground: #fdf3dc; --bad-ground: #fdeeec;
                --series-1: #1f7a4d; --series-2: #c4372c; --series-3: #8088a0; --whole: #dfe2e7; }
        @media (prefers-color-scheme: dark) {
          :root { --good: #7fd3a1; --good-ground: #14301f; --waiting: #f0c674; --waiting-ground: #352a12; --bad-ground: #3c1b18;
                  --series-1: #4fb477; --series-2: #ff8a7d; --series-3: #8b93a5; --whole: #343943; }
        }
        *, ::before, ::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body { margin: 0; min-height: 100vh; min-height: 100dvh; background: var(--ground); color: var(--ink);
               font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
               overflow-wrap: anywhere; }
        a { color: var(--link); text-underline-offset: .2em; text-decoration-thickness: .08em; }
        a:hover { text-decoration-thickness: .14em; }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        main:focus { outline: none; }
        p { margin: 0 0 .75rem; }
        code, pre { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
        .skip { position: absolute; left: .5rem; top: .5rem; z-index: 2; padding: .75rem 1rem; background: var(--paper); transform: translateY(-200%); }
        .skip:focus { transform: none; }

        header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .75rem 1rem;
                 background: var(--paper); border-bottom: 1px solid var(--line); }
        .brand { display: flex; align-items: center; gap: .75rem; font-weight: 600; }
        .mark { flex: none; width: 2.25rem; height: 2.25rem; border-radius: .625rem; display: grid; place-items: center;
                background: var(--accent); color: var(--on-accent); border: 1px solid var(--edge-accent); }
        button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1rem;
                font: inherit; font-weight: 600; text-align: center; text-decoration: none; overflow-wrap: normal;
                border: 1px solid var(--edge-accent);
                border-radius: .625rem; cursor: pointer; background: var(--accent); color: var(--on-accent); }
        button:hover, .button:hover { box-shadow: 0 0 0 3px var(--line); }
        .quiet, .menu { background: none; color: var(--ink); border-color: var(--edge); }
        .danger { background: none; color: var(--problem); border-color: var(--problem); }
        [aria-busy] button { cursor: progress; opacity: .7; }

        #navigation { inset: 0 0 0 auto; width: min(20rem, 85vw); height: 100vh; height: 100dvh; margin: 0; padding: 1rem;
                      border: 0; border-left: 1px solid var(--line); background: var(--paper); color: inherit; overflow: auto; }
        #navigation::backdrop { background: rgb(0 0 0 / .45); }
        #navigation ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .125rem; }
        #navigation li a { display: flex; align-items: center; min-height: 2.75rem; padding: .375rem .75rem; border-radius: .5rem; color: inherit;
                        text-decoration: none; }
        #navigation li a:hover { background: var(--ground); }
        #navigation [aria-current] { background: var(--ground); font-weight: 650; box-shadow: inset 3px 0 0 var(--link); }
        .who { margin-top: 1.5rem; padding: 1rem .75rem 0; border-top: 1px solid var(--line); font-size: .875rem; }
        .who p { margin: 0 0 .5rem; }
        .who a { display: inline-block; padding: .25rem 0; }
        .who form { margin: 0; }
        .who button { width: 100%; }

        main { display: block; padding: 1.25rem 1rem 3rem; max-width: 76rem; }
        .trail ol { list-style: none; margin: 0 0 .25rem; padding: 0; display: flex; flex-wrap: wrap; font-size: .875rem; }
        .trail li::after { content: "/"; padding: 0 .5rem; color: var(--quiet); }
        .trail a { display: inline-block; padding: .25rem 0; }
        h1 { margin: 0 0 .5rem; font-size: 1.625rem; line-height: 1.25; font-weight: 650; letter-spacing: -.012em; text-wrap: balance; }
        h2 { margin: 0 0 .5rem; font-size: 1.125rem; line-height: 1.35; }
        .subject { color: var(--quiet); }
        .subject bdi { color: var(--ink); font-weight: 600; }
        .notice { margin: 1rem 0; padding: .75rem 1rem; border: 1px solid var(--good); border-radius: .625rem;
                  background: var(--good-ground); color: var(--ink); }
        .notice.problem { border-color: var(--problem); background: var(--problem-ground); }
        section { margin: 1.25rem 0 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--paper); }
        section.narrow { max-width: 44rem; }
        section > :last-child { margin-bottom: 0; }
        .note { color: var(--quiet); font-size: .9375rem; }
        .empty { margin: 1rem 0 .5rem; color: var(--quiet); text-align: center; }
        .badge { display: inline-block; padding: 0 .5rem; border: 1px solid var(--edge); border-radius: 1rem; color: var(--quiet);
                 font-size: .8125rem; font-weight: 500; white-space: nowrap; }
        .badge.good { border-color: var(--good); background: var(--good-ground); color: var(--good); }
        .badge.bad { border-color: var(--problem); background: var(--bad-ground); color: var(--problem); }
        .badge.waiting { border-color: var(--waiting); background: var(--waiting-ground); color: var(--waiting); }

        .tiles { margin: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem 1.5rem; }
        .tiles dt { color: var(--quiet); font-size: .875rem; }
        .tiles dd { margin: 0; font-size: 1.625rem; line-height: 1.3; font-weight: 650; font-variant-numeric: tabular-nums; }
        .tiles dd span { font-size: .875rem; font-weight: 500; color: var(--quiet); }
        .facts { margin: 0; display: grid; }
        .facts div { display: grid; gap: 0 1.5rem; padding: .5rem 0; border-top: 1px solid var(--line); }
        .facts div:first-child { border-top: 0; }
        .facts dt { color: var(--quiet); font-size: .9375rem; }
        .facts dd { margin: 0; }

        .chart { margin: .5rem 0 0; }
        .legend { list-style: none; margin: 0 0 .75rem; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .875rem; }
        .legend li::before { content: ""; display: inline-block; width: .75rem; height: .75rem; margin-right: .5rem; border-radius: .1875rem; }
        .legend .series-1::before { background: var(--series-1); }
        .legend .series-2::before { background: var(--series-2); }
        .legend .series-3::before { background: var(--series-3); }
        rect.series-1 { fill: var(--series-1); }
        rect.series-2 { fill: var(--series-2); }
        rect.series-3 { fill: var(--series-3); }
        .plot { position: relative; padding-top: 1.25rem; }
        .plot svg { display: block; width: 100%; height: 11rem; }
        .plot .top { position: absolute; top: 0; right: 0; font-size: .8125rem; line-height: 1.25rem; color: var(--quiet); }
        .grid { fill: none; stroke: var(--line); stroke-width: 1px; vector-effect: non-scaling-stroke; }
        .ends { display: flex; justify-content: space-between; margin: .25rem 0 0; font-size: .8125rem; color: var(--quiet); }
        summary { display: inline-block; min-height: 1.5rem; margin-top: .75rem; padding: .25rem 0; font-weight: 600; cursor: pointer; color: var(--link); }
        summary::before { content: "\\25B8"; display: inline-block; width: 1rem; }
        details[open] > summary::before { content: "\\25BE"; }
        .scroll { max-height: 22rem; overflow: auto; margin-top: .5rem; border: 1px solid var(--line); border-radius: .625rem; }
        .share { display: block; width: 100%; min-width: 5rem; height: .5rem; border-radius: .25rem; }
        .share .whole { fill: var(--whole); }
        .share .part { fill: var(--link); }

        table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
        caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        th, td { padding: .625rem .5rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); font-weight: 400; }
        th:first-child, td:first-child { padding-left: 0; }
        th:last-child, td:last-child { padding-right: 0; }
        thead th { border-top: 0; padding-top: .25rem; color: var(--quiet); font-size: .8125rem; font-weight: 600; }
        th[scope=row] { font-weight: 600; }
        .number { text-align: right; font-variant-numeric: tabular-nums; }
        td .note, th .note { display: block; font-size: .8125rem; font-weight: 400; line-height: 1.45; }
        td a, th a { display: inline-block; min-height: 1.5rem; }
        td a { min-width: 8.5rem; }
        td code { overflow-wrap: break-word; }
        thead th { overflow-wrap: normal; }
        th[scope=row] { min-width: 9rem; }
        .wide { min-width: 9.75rem; }
        time { font-variant-numeric: tabular-nums; overflow-wrap: normal; }
        .links { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: flex-end; }
        .links a { min-width: 0; overflow-wrap: normal; }
        .links .danger { color: var(--problem); }
        .plain th, .plain td { padding: .25rem .75rem; font-size: .875rem; }
        .plain thead th { position: sticky; top: 0; background: var(--paper); }
        .plain th:first-child { padding-left: .75rem; }
        .plain td:last-child, .plain th:last-child { padding-right: .75rem; }
        .plain thead th:not(:first-child) { text-align: right; }

        form { margin: 0; }
        section > form { display: grid; gap: 1rem; }
        section > * + form, section > form + * { margin-top: 1rem; }
        section > .filter { grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); align-items: start; }
        section > .filter + * { margin-top: 1.5rem; }
        .filter .field:has([type=search]) { grid-column: span 2; }
        .filter .buttons { grid-column: 1 / -1; }
        .field { display: grid; gap: .25rem; min-width: 0; }
        .field label { font-weight: 600; font-size: .9375rem; }
        .field input, .field select, .field textarea { width: 100%; min-width: 0; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit;
                background: var(--field); border: 1px solid var(--edge); border-radius: .625rem; }
        .field textarea { font: .9375rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 1rem; resize: none; background: none; }
        .field [aria-invalid] { border-color: var(--problem); box-shadow: 0 0 0 1px var(--problem); }
        .check { grid-template-columns: auto 1fr; align-items: center; column-gap: .75rem; min-height: 2.75rem; }
        .check input { width: 1.25rem; min-height: 0; height: 1.25rem; margin: 0; padding: 0; accent-color: var(--link); }
        .check label { font-weight: 500; padding: .5rem 0; }
        .check .hint { grid-column: 2; }
        fieldset { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); margin: 0; padding: 0; border: 0; min-width: 0; }
        legend { padding: 0; font-weight: 600; font-size: .9375rem; }
        fieldset > .hint, fieldset > .complaint { grid-column: 1 / -1; }
        .hint, .complaint { margin: 0; font-size: .875rem; line-height: 1.45; color: var(--quiet); }
        .complaint { color: var(--problem); font-weight: 500; }
        .buttons, .actions, .pager { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; }
        .pager, * + .actions { margin-top: 1rem; }
        pre { margin: 0; padding: 1rem; overflow: auto; background: var(--field); border: 1px solid var(--line); border-radius: .625rem;
              overflow-wrap: normal; }
        footer { padding: 1rem; font-size: .8125rem; color: var(--quiet); }
        footer span::before { content: ""; display: inline-block; width: .5rem; height: .5rem; margin-right: .5rem; border-radius: 50%; background: #d58a00; }

        .alone main, .alone header, .alone footer { max-width: 40rem; margin: 0 auto; }
        .alone header { margin-top: 2rem; border: 0; background: none; }

        @media (max-width: 47.99rem) {
          /* Rows become cards, each value with the title of its column. */
          table:not(.plain), table:not(.plain) tbody, table:not(.plain) tr { display: block; }
          table:not(.plain) thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          table:not(.plain) tr { padding: .75rem 0; border-top: 1px solid var(--line); }
          table:not(.plain) tbody tr:first-child { border-top: 0; padding-top: 0; }
          table:not(.plain) th, table:not(.plain) td { display: grid; grid-template-columns: minmax(7.5rem, 34%) 1fr; gap: 0 .75rem; padding: .1875rem 0;
                border: 0; text-align: left; }
          table:not(.plain) [data-label]::before { content: attr(data-label); color: var(--quiet); font-size: .8125rem; font-weight: 600; line-height: 1.5rem;
                overflow-wrap: break-word; hyphens: auto; }
          table:not(.plain) th[scope=row] { display: block; }
          table:not(.plain) th[scope=row]::before, table:not(.plain) [data-label=""]::before { content: none; }
          table:not(.plain) [data-label=""] { display: block; }
          .filter .field:has(+ .field [type=search]) { grid-column: span 2; }
          .filter .field:has([type=date]) { grid-column: 1 / -1; }
          .links { justify-content: flex-start; padding-top: .25rem; }
          .links a, td a, th a { padding: .25rem 0; }
          .pager .button, .buttons button, .buttons .button { flex: 1 1 auto; }
        }
        @media (min-width: 48rem) {
          .facts div { grid-template-columns: 12rem 1fr; }
          section > .filter { grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); }
          .filter .buttons { grid-column: auto; padding-top: 1.625rem; flex-wrap: nowrap; }
          .links { flex-wrap: nowrap; }
        }
        @media (min-width: 60rem) {
          body:not(.alone) { display: grid; grid-template: auto 1fr auto / 15.5rem minmax(0, 1fr); }
          body:not(.alone) header { grid-area: 1 / 1; padding: 1.5rem 1rem 1rem; border: 0; border-right: 1px solid var(--line); }
          .menu { display: none; }
          #navigation { grid-area: 2 / 1; display: flex; flex-direction: column; position: static; width: auto; height: auto; padding: 0 .75rem 1.5rem;
                        border: 0; border-right: 1px solid var(--line); overflow: visible; }
          .who { margin-top: 1.5rem; }
          body:not(.alone) main { grid-area: 1 / 2 / 4 / 3; padding: 1.75rem 2.25rem 3rem; }
          body:not(.alone) footer { grid-area: 3 / 1; background: var(--paper); border-right: 1px solid var(--line); }
        }
        @media (prefers-reduced-motion: no-preference) {
          button, .button, input, select { transition: box-shadow .12s ease-out, border-color .12s ease-out; }
        }
        @media print {
          header, nav, footer, form, .actions, .skip { display: none; }
          section { break-inside: avoid; border: 0; padding: 0; }
        }

        """
}
