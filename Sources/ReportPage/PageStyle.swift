/// The look of the pages: the reader's own fonts, a light or dark theme as the reader's system prefers, and a style for
/// print.
enum PageStyle {
    static let css = """
        :root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1d2226; --soft: #59636b; --line: #d9d6cd;
          --card: #fff; --good: #1f7a4d; --calm: #2c6291; --bad: #b3261e; --warn: #8a5a00; --dots: #1f5f8b; --bar: #2f7fb5;
          --gap: #d0342c; }
        @media (prefers-color-scheme: dark) { :root { --paper: #14181b; --ink: #e8e6e1; --soft: #a2abb2; --line: #343b41;
          --card: #1b2125; --good: #5fc694; --calm: #82b8e4; --bad: #ff8a80; --warn: #e6b450; --dots: #86c5ee;
          --bar: #6db3e2; --gap: #ff7b72; } }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
        main, header { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem }
        header { padding-top: 2rem }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: .4rem 0 .3rem; overflow-wrap: anywhere }
        h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem }
        h3 { font-size: 1rem; margin: 1.2rem 0 .2rem; overflow-wrap: anywhere }
        p { margin: .4rem 0; overflow-wrap: anywhere }
        .verdict { display: inline-block; font-weight: 700; padding: .15rem .7rem; border-radius: 1rem; border: 2px solid }
        .published { color: var(--good) } .unchanged { color: var(--calm) } .refused, .failed { color: var(--bad) }
        .soft { color: var(--soft) }
        .warning { border-left: 4px solid var(--warn); padding-left: .8rem }
        .skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; top: .5rem; background: var(--card) }
        a { color: var(--calm) } a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--calm); outline-offset: 2px }
        dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .8rem 1.5rem; margin: 1.4rem 0 0 }
        dt { color: var(--soft); font-size: .85rem } dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
        .wide { overflow-x: auto }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
        th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
        th { font-weight: 600 } thead th { color: var(--soft); font-size: .85rem }
        .n { text-align: right; white-space: nowrap } .up { color: var(--good) } .down { color: var(--bad) }
        td:not(.n), th[scope=row] { overflow-wrap: anywhere; min-width: 8.5rem } td.reason { min-width: 16rem }
        .ERROR { color: var(--bad) } .WARNING { color: var(--warn) } .INFO { color: var(--calm) }
        figure { margin: .6rem 0; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem }
        figcaption { color: var(--soft); font-size: .9rem }
        svg { display: block; width: 100%; height: auto; overflow: visible }
        svg text { fill: var(--soft); font: 12px system-ui, sans-serif }
        @media (max-width: 40rem) { svg text { font-size: 22px } }
        .dots { fill: none; stroke: var(--dots); stroke-linecap: round } .bars { fill: var(--bar) } .gap { fill: var(--gap) }
        .axis { stroke: var(--line); fill: none } .today { stroke: var(--ink); stroke-dasharray: 3 3 }
        summary { cursor: pointer }
        footer { color: var(--soft); margin: 3rem 0 2rem; font-size: .85rem; overflow-wrap: anywhere }
        @media print { :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb;
          --good: #14532d; --calm: #123a5c; --bad: #8c1d18; --warn: #5c3c00; --dots: #123a5c; --bar: #2f5f85; --gap: #8c1d18 }
          svg { max-height: 12cm } figure, tr { break-inside: avoid } h2, h3 { break-after: avoid } .skip { display: none } }
        """

    /// A page that can load nothing and run nothing, whatever it contains.
    static func document(title: String, head: String = "", body: String) -> String {
        """
        \(ReportPage.beginning)
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        \(head)<title>\(HTMLText.escaped(title))</title>
        <style>
        \(css)
        </style>
        </head>
        <body>
        <a class="skip" href="#content">Skip to the content</a>
        \(body)
        </body>
        </html>

        """
    }
}
