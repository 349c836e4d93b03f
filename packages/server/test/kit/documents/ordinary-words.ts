/**
 * Words of English and of programming that exported names may use. A word with a special meaning in Millrace belongs in the glossary of
 * ARCHITECTURE.md instead.
 */
export const ordinaryWords: ReadonlySet<string> = new Set(
  `
  abandon aborted about absent absolute abstract accept acceptance access account acquire across activate active actor add address admin
  administrators admission
  adopt after again all allow alone amendable among amounts ancestors anchor and annotated anonymous answer any anycasts anyone anything
  api app application apply approval approve architecture archivable archive argument arithmetic ascending ask assemble attend attribute
  auth auto available await away back background backoff backup bad bar bare base batch before begin begun behind below bench beside between
  binary bind block body both bound bounded bounds breach bridge broadcasts broken browser bubblewrap buckets build built button byte cache
  calendar call can cancel canonical cast caught cause cell cesql challenge child choices choose chosen clean cleanup clear client clip
  clock close cloud cluster code collect column command comment commit compared comparison compile complete components compose conclude
  confidential config configuration confirm conflict connect consider container content context continue control cookie copy cost costly could count
  cover coverage create credential cron curl current customization cut cycle data database date day dead deadline decide decision declaration declared
  decode deep default define definition degraded delay delete deliver demand denied dependency depth descendants describe descriptions
  destination detached detail dialog did diff dir direction disable disk dismiss dispatch docs document domain drain driver drop due dump duplicate
  duration each edge edit effective email embedded empty encode encryption end engine ensure entry enum env environment error escape etag etc
  evaluate event every everything everywhere example exceeded excess exchange exclusion exec execution exercise exit expand expected expire explain
  export extend fact fail failure false feature fetch field figures file fill final finalize find fingerprint finish fire first fits
  fitting fixed flags flat flatten folder follow for force foreign forget forgotten form format forward found frame free fresh from full
  function future gap gate get give given global gone graph group growing guard halt handle handbook has hash have hazards head headline health held help
  here hidden hide hit hold home hour hours host html http idempotency idempotent identify idle ids import inbound inexact inflate info inherited
  inner input ins insert install instance instant instruction interaction intersect invalid isolation issuer item itself jitter join json
  judge keep kept kernel key kill kind known kubernetes large last late latest lateness launch lay layout leave leftovers length let like likely
  limit line link list listen live load local locale log logic long look lookup loopback lose lost machine mail main major make
  malformed manifest manual many map markdown mark match max may measure mebibytes media meets membership memory merge message met metadata method
  metric middle migrate min mint minutes misleading missing misspelt missed mode moment month monthly most mount move name namespace navigation
  nearest neighbour network never new newest next nft nicely niceness not note nothing notice notification notify null nullable
  number honoured object octokit offset oidc old once one open operation option optional order origin orphan other our out outbound outgoing
  output outside over overdue overflow overlap overrides oversized overview own otlp ownership pack page pageable pair param parent parse part partition pass
  password patch path patience pattern pause payloads pending people percentile percentiles period piece pipe placement plain platform pointer pool port
  position possible post preferred prefix prepare present previous privacy private process product profile program progress promises promote proof
  property propose proposed protect protected prose proven provider proxy public publish pull purgeable quantity quartz query queryable question queue quote raise range rate
  raw reachable read readiness ready reason receive recent recheck record recovered ref refresh refuse reject release reload remainder remember remind removal
  remove render renew renewal reopen repeated replace replay reply repository request require reseal reserve reset resolve resource response
  restore result return reveal revision revoke right root rotate route routes row rule runnable runtime safe same sample save scan scenario
  schema script search searchable seclude seclusion second section see seen segments selector send serve service set settable settle shape shell
  shipped short shortage shorten show shown shrink shutdown siblings sidecar sign signature sink size sleep slices slug socket somewhere sort
  source space span sparse spawn spec split sql stale start stat state statement stays stop storage store stream strict string structured
  stuck subject submission submit substitute succeeded suite summarize summary survey survive syntax system table tag take taken target tcp
  termination test text than throw ticks tie time timeout title tls too tool top trailer transaction transition true trusted turn type uid unarchived
  undecided undeclared unique unix unknown unescape unless unlimited unlink unmark unmet unpack unprotect unreachable unreadable unresolved unrestored
  unsandboxed unshare until unused update ups publication upsert url usage use using usual validate value var variable variants verb verified verify violation visited
  volume votable wake walk wall wanted warn withdraw watch way web webhook week welcome when whole why window with without word work wrapper
  writable write written wrong yaml year zone
`
    .trim()
    .split(/\s+/),
);
