/** The style of the overview page: two columns on wide screens, one on a phone. */
export const overviewStyle = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif;
  --page: light-dark(#ffffff, #17181a); --text: light-dark(#22252a, #eceae6); --soft: light-dark(#5c6066, #b0b3b9);
  --line: light-dark(#e2e2df, #383b41); --fill: light-dark(#f6f6f4, #212327); --link: light-dark(#0b57a4, #8fc1ff);
  --good: light-dark(#1d7a4f, #56c493); --bad: light-dark(#b3261e, #ff9d94); --hand: light-dark(#8a5300, #f0b866); --read: light-dark(#9aa7b5, #7f8b99); }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 2.5rem; padding: 1.5rem 2rem; background: var(--page); color: var(--text); }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: .2rem; }
header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; }
header p { margin: 0; } h1 { margin: 0; font-size: 1.6rem; } header p, small, th, .soft, time { color: var(--soft); }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; } h3 { font-size: .95rem; margin: 0; } small { font-weight: 400; }
p { margin: .2rem 0; }
pre { background: var(--fill); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; overflow-x: auto; }
#writes { margin-top: .5rem; }
summary { cursor: pointer; color: var(--link); width: fit-content; }
.meter { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem; align-items: end; }
#requests { font-size: 1.6rem; line-height: 1; }
.bar { height: .5rem; margin-top: .4rem; background: var(--line); border-radius: .25rem; } .bar i { display: block; height: 100%; background: var(--good); border-radius: .25rem; }
figure { margin: 0; } svg { display: block; width: 100%; height: 3rem; border-bottom: 1px solid var(--line); }
rect.reads { fill: var(--read); } rect.writes { fill: var(--good); } rect.refused { fill: var(--bad); }
figcaption { font-size: .8rem; color: var(--soft); } figcaption span::before { content: ""; display: inline-block; width: .6rem; height: .6rem; margin-right: .25rem; border-radius: .15rem; background: var(--read); }
figcaption .writes::before { background: var(--good); } figcaption .refused::before { background: var(--bad); }
#timeline ol { list-style: none; padding: 0; } #timeline li { position: relative; padding: 0 0 .8rem 1.4rem; border-left: 2px solid var(--line); margin-left: .4rem; }
#timeline li:last-child { border-color: transparent; padding-bottom: 0; }
#timeline li::before { content: ""; position: absolute; left: -.45rem; top: .3rem; width: .8rem; height: .8rem; border-radius: 50%; background: var(--good); box-shadow: 0 0 0 3px var(--page); }
#timeline li.staff::before { background: var(--hand); border-radius: .2rem; } #timeline li.quiet::before { background: var(--line); }
.created, .recovered { color: var(--good); } .deleted, .up { color: var(--bad); } .down { color: var(--good); } .up, .down { white-space: nowrap; font-size: .9em; }
.rows { max-height: 22rem; overflow: auto; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 600; position: sticky; top: 0; background: var(--page); }
td, th { padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th, td.discount, td.status, td.expires, td.price { white-space: nowrap; overflow-wrap: normal; }
td.before { color: var(--soft); } td.before, td.after, td.price { font-variant-numeric: tabular-nums; }
#catalogue .price { text-align: right; padding-right: .2rem; }
span.product { display: flex; align-items: center; gap: .6rem; }
.thumb { flex: none; width: 2rem; height: 2rem; border-radius: .35rem; object-fit: cover; display: grid; place-items: center; font-weight: 600; font-size: .85rem;
  background: light-dark(hsl(var(--hue, 0) 45% 88%), hsl(var(--hue, 0) 25% 28%)); color: light-dark(hsl(var(--hue, 0) 60% 22%), hsl(var(--hue, 0) 60% 88%)); }
#catalogue td { vertical-align: middle; }
.skip:not(:focus) { position: absolute; left: -99rem; }
form { margin: .3rem 0 .6rem; } input, button { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--soft); border-radius: .3rem; padding: .2rem .5rem; }
ul, ol { margin: 0; padding-left: 1.2rem; } li { overflow-wrap: anywhere; }
#rest ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; padding: 0; }
.theme { position: sticky; top: 1rem; align-self: start; }
iframe { width: 100%; height: 75vh; border: 1px solid var(--line); border-radius: .4rem; background: var(--fill); }
nav { display: flex; flex-wrap: wrap; gap: .2rem .8rem; margin-bottom: .5rem; }
@media (max-width: 56rem) {
  body { display: block; padding: 1rem; }
  .theme { position: static; }
  iframe { height: 80vh; }
  #coupons .note { display: none; }
}
@media (max-width: 30rem) {
  .meter { grid-template-columns: 1fr; gap: .8rem; }
  #catalogue .sku { display: none; }
}
`;
