/** The style of the page at /: two columns where there is room, one on a telephone. */
export const overviewStyle = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif;
  --page: light-dark(#ffffff, #17181a); --text: light-dark(#22252a, #eceae6); --soft: light-dark(#5c6066, #b0b3b9);
  --line: light-dark(#dedede, #383b41); --fill: light-dark(#f4f4f2, #212327); --link: light-dark(#0b57a4, #8fc1ff); --bar: light-dark(#2f8f62, #4fbf8b); }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 2rem; padding: 1.5rem 2rem; background: var(--page); color: var(--text); }
a { color: var(--link); }
header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; }
header p { margin: 0; } h1 { margin: 0; font-size: 1.6rem; } header p, small, th { color: var(--soft); }
h2 { font-size: 1.05rem; margin: 1.2rem 0 .4rem; } h3 { font-size: .95rem; margin: .8rem 0 .3rem; }
p { margin: .3rem 0; }
pre { background: var(--fill); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 600; }
td, th { padding: .2rem .6rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td:nth-child(3), #coupons td:nth-child(-n + 4), th { white-space: nowrap; overflow-wrap: normal; }
#catalogue td:last-child, #catalogue th:last-child { text-align: right; font-variant-numeric: tabular-nums; }
#moves td { white-space: normal; overflow-wrap: anywhere; } #moves td:last-child { white-space: nowrap; color: var(--soft); }
.rows:focus-visible, pre:focus-visible { outline: 2px solid var(--link); }
.rows { max-height: 22rem; overflow: auto; }
ul, ol { margin: 0; padding-left: 1.2rem; } li { overflow-wrap: anywhere; }
#rest ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; padding: 0; }
.bar { height: .5rem; background: var(--line); border-radius: .25rem; } .bar i { display: block; height: 100%; background: var(--bar); border-radius: .25rem; }
.theme { position: sticky; top: 1rem; align-self: start; }
iframe { width: 100%; height: 75vh; border: 1px solid var(--line); border-radius: .4rem; background: var(--fill); }
nav { display: flex; flex-wrap: wrap; gap: .2rem .8rem; margin-bottom: .5rem; }
@media (max-width: 56rem) {
  body { display: block; padding: 1rem; }
  .theme { position: static; }
  iframe { height: 80vh; }
  #coupons td:last-child, #coupons th:last-child { display: none; }
  #coupons td:first-child { white-space: normal; overflow-wrap: anywhere; }
  td:first-child { min-width: 7.5rem; }
}
`;
