{{- define "millrace.labels" -}}
app.kubernetes.io/name: millrace
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "millrace.selector" -}}
app.kubernetes.io/name: millrace
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "millrace.runsPods" -}}
{{- if has "kubernetes" (splitList "," .Values.worker.executors) }}true{{ end }}
{{- end }}

{{- define "millrace.policyVersion" -}}
{{- if semverCompare ">=1.21-0" .Capabilities.KubeVersion.Version }}policy/v1{{ else }}policy/v1beta1{{ end }}
{{- end }}

{{- define "millrace.secretVariable" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .root.Values.secretName }}, key: {{ .key }} } }
{{- end }}

{{- define "millrace.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "millrace.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* The settings that all processes have */ -}}
{{- define "millrace.moreVariables" -}}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}
