/**
 * The named schemas of the published interface and their members, `name:type`. `Name[]` is a list of these, `Map` an object with any
 * members. Members may be added, but none may be renamed or removed (contract.test.ts).
 */
export const wireNames: Readonly<Record<string, string>> = {
  AbstractParam: `
    default:Object description:String disabled:Boolean helpertext:String hiddenValue:Boolean label:String language:String
    maxValueLength:Integer minValueLength:Integer name:String options:KeyValuePair[] placeholder:String readOnly:Boolean
    required:Boolean type:String value:Object`,
  Action: `
    actioners:Actioner[] approvalsRequired:Long approverGroupRef:String creationDate:Date id:String instructions:String
    numberOfApprovals:Long numberOfApprovers:Integer status:String taskName:String taskRunRef:String teamName:String type:String
    workflowName:String workflowRef:String workflowRunRef:String`,
  ActionRequest: "approved:Boolean comments:String id:String",
  ActionSummary: "approvals:Long approvalsRate:Long manual:Long",
  Actioner: "approved:Boolean approverEmail:String approverId:String approverName:String comments:String date:Date",
  ApproverGroup: "approvers:TeamMember[] creationDate:Date id:String name:String",
  ApproverGroupRequest: "approvers:List id:String name:String",
  CanvasEdge: "data:CanvasEdgeData id:String source:String target:String type:String",
  CanvasEdgeData: "decisionCondition:String executionCondition:String",
  CanvasNode: "data:CanvasNodeData id:String position:CanvasNodePosition type:String",
  CanvasNodeData: "name:String params:RunParam[] results:ResultSpec[] taskRef:String taskVersion:Integer upgradesAvailable:Boolean",
  CanvasNodePosition: "x:BigDecimal y:BigDecimal",
  ChangeLog: "author:String date:Date reason:String",
  ChangeLogVersion: "author:String date:Date reason:String version:Integer",
  CodehostLinkRequest: "ref:String team:String",
  CronValidationResponse: "message:String valid:Boolean",
  CurrentQuotas: `
    currentConcurrentRuns:Integer currentRunMedianDuration:Integer currentRunTotalDuration:Integer currentRuns:Integer
    currentWorkflowCount:Integer maxConcurrentRuns:Integer maxWorkflowCount:Integer maxWorkflowRunDuration:Integer
    maxWorkflowRunMonthly:Integer maxWorkflowRunStorage:Integer maxWorkflowStorage:Integer monthlyResetDate:Date`,
  Features: "features:Map",
  HeaderFeatures: `
    consent.enabled:Boolean docs.enabled:Boolean internal.enabled:Boolean notifications.enabled:Boolean support.enabled:Boolean`,
  HeaderNavigation: "isDropdown:Boolean name:String options:HeaderOption[] url:String",
  HeaderNavigationResponse: `
    featuredServices:HeaderOption[] features:HeaderFeatures navigation:HeaderNavigation[] platform:HeaderPlatform
    platformMessage:HeaderPlatformMessage`,
  HeaderOption: "imageId:String name:String templateId:String url:String",
  HeaderPlatform: `
    appName:String baseEnvUrl:String baseServicesUrl:String communityUrl:String displayLogo:Boolean logoURL:String name:String
    platformName:String privateTeams:Boolean sendMail:Boolean signOutUrl:String version:String`,
  HeaderPlatformMessage: "kind:String message:String title:String",
  Integration: "description:String icon:String id:String instructions:String link:String name:String ref:String status:String",
  KeyValuePair: "key:String value:String",
  Metadata: "annotations:Map labels:Map name:String",
  Navigation: "beta:Boolean disabled:Boolean icon:String link:String name:String type:String",
  OneTimeCode: "otc:String",
  PageAction: `
    content:Action[] empty:Boolean first:Boolean last:Boolean number:Integer numberOfElements:Integer pageable:PageableObject
    size:Integer sort:SortObject[] totalElements:Long totalPages:Integer`,
  PageTeam: `
    content:Team[] empty:Boolean first:Boolean last:Boolean number:Integer numberOfElements:Integer pageable:PageableObject size:Integer
    sort:SortObject[] totalElements:Long totalPages:Integer`,
  PageToken: `
    content:Token[] empty:Boolean first:Boolean last:Boolean number:Integer numberOfElements:Integer pageable:PageableObject
    size:Integer sort:SortObject[] totalElements:Long totalPages:Integer`,
  PageUser: `
    content:User[] empty:Boolean first:Boolean last:Boolean number:Integer numberOfElements:Integer pageable:PageableObject size:Integer
    sort:SortObject[] totalElements:Long totalPages:Integer`,
  PageWorkflowRun: `
    content:WorkflowRun[] empty:Boolean first:Boolean last:Boolean number:Integer numberOfElements:Integer pageable:PageableObject
    size:Integer sort:SortObject[] totalElements:Long totalPages:Integer`,
  PageWorkflowSchedule: `
    content:WorkflowSchedule[] empty:Boolean first:Boolean last:Boolean number:Integer numberOfElements:Integer pageable:PageableObject
    size:Integer sort:SortObject[] totalElements:Long totalPages:Integer`,
  PageableObject: "offset:Long pageNumber:Integer pageSize:Integer paged:Boolean sort:SortObject[] unpaged:Boolean",
  ParamSpec: "default:Object description:String name:String type:String",
  Quotas: `
    maxConcurrentRuns:Integer maxWorkflowCount:Integer maxWorkflowRunDuration:Integer maxWorkflowRunMonthly:Integer
    maxWorkflowRunStorage:Integer maxWorkflowStorage:Integer`,
  ResolvedPermissions: "actions:List principal:String scope:String",
  ResultSpec: "description:String name:String",
  Role: "description:String id:String name:String permissions:List type:String",
  RunParam: "name:String value:Object",
  RunResult: "description:String name:String value:Object",
  Setting: "config:SettingConfig[] description:String id:String key:String lastModiifed:Date name:String tool:String type:String",
  SettingConfig: `
    defaultValue:String description:String disabled:Boolean helperText:String hiddenValue:Boolean key:String label:String
    language:String maxValueLength:Integer minValueLength:Integer options:KeyValuePair[] placeholder:String readOnly:Boolean
    required:Boolean type:String value:String`,
  SortObject: "ascending:Boolean direction:String ignoreCase:Boolean nullHandling:String property:String",
  Spec: "description:String params:ParamSpec[] results:ResultSpec[] steps:Step[] timeout:Spec_timeout",
  Step: "args:List command:List env:TaskEnvVar[] image:String name:String script:String workingDir:String",
  Task: `
    annotations:Map category:String changelog:ChangeLog creationDate:Date description:String displayName:String icon:String id:String
    labels:Map name:String spec:TaskSpec status:String type:String verified:Boolean version:Integer`,
  TaskDefinition: "apiVersion:String kind:String metadata:Metadata spec:Spec",
  TaskEnvVar: "name:String value:String",
  TaskResponsePage: `
    content:Task[] empty:Boolean first:Boolean last:Boolean number:Integer numberOfElements:Integer pageable:PageableObject size:Integer
    sort:SortObject totalElements:Long totalPages:Integer`,
  TaskRun: `
    agentRef:String annotations:Map creationDate:Date duration:Long id:String labels:Map name:String params:RunParam[] phase:String
    results:RunResult[] spec:TaskRunSpec startTime:Date status:String statusMessage:String taskRef:String taskVersion:Integer
    timeout:Long type:String workflowName:String workflowRef:String workflowRevisionRef:String workflowRunRef:String
    workspaces:TaskWorkspace[]`,
  TaskRunSpec: `
    arguments:List command:List debug:Boolean deletion:String envs:TaskEnvVar[] image:String script:String timeout:Integer
    workingDir:String`,
  TaskSpec: `
    arguments:List command:List envs:TaskEnvVar[] image:String params:AbstractParam[] results:ResultSpec[] script:String
    workingDir:String`,
  TaskWorkspace: "mountPath:String name:String optional:Boolean type:String",
  Team: `
    approverGroups:ApproverGroup[] creationDate:Date displayName:String externalRef:String id:String labels:Map members:TeamMember[]
    name:String parameters:AbstractParam[] quotas:CurrentQuotas status:String workflows:WorkflowSummary[]`,
  TeamMember: "email:String id:String name:String role:String",
  TeamNameCheckRequest: "name:String",
  TeamRequest: `
    approverGroups:ApproverGroupRequest[] displayName:String externalRef:String id:String labels:Map members:TeamMember[] name:String
    parameters:AbstractParam[] quotas:Quotas status:String type:String`,
  TeamSummary: `
    creationDate:Date displayName:String externalRef:String insights:TeamSummaryInsights labels:Map name:String status:String`,
  TeamSummaryInsights: "members:Long workflows:Long",
  Token: `
    creationDate:Date description:String expirationDate:Date id:String name:String permissions:ResolvedPermissions[] principal:String
    type:String valid:Boolean`,
  TokenCreateRequest: "description:String expirationDate:Date name:String permissions:List principal:String role:String type:String",
  TokenCreateResponse: "expirationDate:Date id:String token:String type:String",
  Trigger: "conditions:TriggerCondition[] enabled:Boolean",
  TriggerCondition: "field:String operation:String value:String values:List",
  User: `
    creationDate:Date displayName:String email:String id:String labels:Map lastLoginDate:Date name:String settings:UserSettings
    status:String type:String`,
  UserProfile: `
    creationDate:Date displayName:String email:String id:String labels:Map lastLoginDate:Date name:String permissions:List
    settings:UserSettings status:String teams:TeamSummary[] type:String`,
  UserRequest: "displayName:String email:String id:String labels:Map name:String status:String type:String",
  UserSettings: "hasConsented:Boolean isFirstVisit:Boolean isShowHelp:Boolean",
  Workflow: `
    annotations:Map changelog:ChangeLog creationDate:Date description:String displayName:String icon:String id:String labels:Map
    markdown:String name:String params:AbstractParam[] retries:Long status:String tasks:WorkflowTask[] timeout:Long
    triggers:WorkflowTrigger upgradesAvailable:Boolean version:Integer workspaces:WorkflowWorkspace[]`,
  WorkflowCanvas: `
    annotations:Map changelog:ChangeLog config:AbstractParam[] creationDate:Date description:String displayName:String
    edges:CanvasEdge[] icon:String labels:Map markdown:String name:String nodes:CanvasNode[] retries:Long status:String timeout:Long
    triggers:WorkflowTrigger upgradesAvailable:Boolean version:Integer workspaces:WorkflowWorkspace[]`,
  WorkflowResponsePage: `
    content:Workflow[] empty:Boolean first:Boolean last:Boolean number:Integer numberOfElements:Integer pageable:PageableObject
    size:Integer sort:SortObject totalElements:Long totalPages:Integer`,
  WorkflowRun: `
    annotations:Map awaitingApproval:Boolean creationDate:Date debug:Boolean duration:Long id:String initiatedByRef:String labels:Map
    params:RunParam[] phase:String results:RunResult[] retries:Long startTime:Date status:String statusMessage:String tasks:TaskRun[]
    timeout:Long trigger:String workflowDisplayName:String workflowName:String workflowRef:String workflowRevisionRef:String
    workflowVersion:Integer workspaces:WorkflowWorkspace[]`,
  WorkflowRunCount: "status:Map",
  WorkflowRunInsight: "concurrentRuns:Long medianDuration:Long runs:WorkflowRunSummary[] totalDuration:Long totalRuns:Long",
  WorkflowRunRequest: `
    annotations:Map debug:Boolean labels:Map params:RunParam[] retries:Long timeout:Long workspaces:WorkflowWorkspace[]`,
  WorkflowRunSummary: "creationDate:Date duration:Long status:String workflowName:String workflowRef:String",
  WorkflowSchedule: `
    creationDate:Date cronSchedule:String dateSchedule:Date description:String id:String labels:Map name:String nextScheduleDate:Date
    params:RunParam[] status:String timezone:String type:String workflowRef:String`,
  WorkflowScheduleCalendar: "dates:List scheduleId:String",
  WorkflowSubmitRequest: `
    annotations:Map debug:Boolean labels:Map params:RunParam[] retries:Long timeout:Long trigger:String workflowVersion:Integer
    workspaces:WorkflowWorkspace[]`,
  WorkflowSummary: `
    creationDate:Date description:String displayName:String icon:String id:String name:String status:String version:Integer`,
  WorkflowTask: `
    annotations:Map dependencies:WorkflowTaskDependency[] labels:Map name:String params:RunParam[] results:ResultSpec[] taskRef:String
    taskVersion:Integer timeout:Long type:String upgradesAvailable:Boolean workspaces:TaskWorkspace[]`,
  WorkflowTaskDependency: "decisionCondition:String executionCondition:String taskRef:String",
  WorkflowTemplate: `
    annotations:Map changelog:ChangeLog creationDate:Date description:String displayName:String icon:String labels:Map markdown:String
    name:String params:AbstractParam[] retries:Long tasks:WorkflowTask[] timeout:Long upgradesAvailable:Boolean version:Integer
    workspaces:WorkflowWorkspace[]`,
  WorkflowTemplateResponsePage: `
    content:WorkflowTemplate[] empty:Boolean first:Boolean last:Boolean number:Integer numberOfElements:Integer pageable:PageableObject
    size:Integer sort:SortObject totalElements:Long totalPages:Integer`,
  WorkflowTrigger: "codehost:Trigger event:Trigger manual:Trigger schedule:Trigger webhook:Trigger",
  WorkflowWorkspace: "description:String name:String optional:Boolean spec:Object type:String",
};
