-- Users are asked for by their type: the few administrators among many.

create index app_user_type on app_user (type, coalesce(name, email), id);
