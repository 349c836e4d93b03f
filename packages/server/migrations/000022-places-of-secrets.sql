-- breaking: an older program would send webhooks to their masked addresses, which is what it finds in the clear part of a target.

-- The token of a workspace of the chat is sent to the API that granted it, and nowhere else: a changed setting chat.baseURL does not take it along.
alter table chat_workspace add column api_url text;

update chat_workspace
set api_url = coalesce(
  (select nullif(rtrim(trim(value), '/'), '') from setting where group_key = 'integration' and key = 'chat.baseURL'), 'https://slack.com/api')
where token is not null;
